from cli.conftest import Cli


def test_status_names_the_server_and_whether_it_can_be_used(cli: Cli) -> None:
    found = cli.json("status")
    assert found["kind"] == "external"
    assert found["condition"] in {"ready", "no_plugin", "other_plugin"}
    assert found["condition"] in cli.run("status").stdout


def test_missing_server_is_unreachable_and_exits_with_1(cli: Cli) -> None:
    assert "unreachable" in cli.run("status", code=1, NEO4J_URI="bolt://127.0.0.1:9").stdout


def test_up_checks_the_configured_server(cli: Cli) -> None:
    assert cli.json("up")["started"] is False


def test_doctor_checks_the_schema(cli: Cli) -> None:
    names = {check["name"] for check in cli.json("doctor")}
    assert {"disk", "server", "schema"} <= names
    assert "schema" in cli.run("doctor").stdout


def test_browser_prints_an_address_without_the_password(cli: Cli) -> None:
    assert cli.json("browser")["url"].startswith("http")
    assert "browser" in cli.run("browser").stdout
