import socket
import threading

from mnemo.launcher.ports import HOST, answers_bolt, choose, is_free


def test_free_port_is_used_as_requested() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    assert choose(port) == port


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
        assert not is_free(port)
        other = choose(port)
        assert other != port
        assert is_free(other)


def test_a_port_taken_on_all_interfaces_is_not_free() -> None:
    with socket.create_server(("", 0)) as server:
        assert not is_free(server.getsockname()[1])


def test_reserved_port_is_not_given_twice() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    assert choose(port, taken=[port]) != port


def test_closed_port_does_not_speak_bolt() -> None:
    with socket.create_server((HOST, 0)) as server:
        port = server.getsockname()[1]
    assert not answers_bolt(port)


def test_a_web_server_does_not_speak_bolt() -> None:
    with socket.create_server((HOST, 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(64)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        assert not answers_bolt(server.getsockname()[1])
        thread.join()
