# Sourced by scripts that run on a fresh machine: timed stages, and the environment in .venv.
#
# Writes only to the project's folder and MNEMO_HOME (README.md names its default).

cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [ -z "${MNEMO_HOME:-}" ]; then
  case "$(uname -s)" in
    Darwin) MNEMO_HOME="$HOME/Library/Application Support/mnemo" ;;
    *) MNEMO_HOME="${XDG_DATA_HOME:-$HOME/.local/share}/mnemo" ;;
  esac
fi
export MNEMO_HOME
export PIP_CACHE_DIR="$MNEMO_HOME/cache/pip"
export PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH

stage_name=
stage_start=0
stage_report=
script_start=$(date +%s)

# stage NAME: end the previous stage and start a new one.
stage() {
  stage_end
  stage_name=$1
  stage_start=$(date +%s)
  printf '\n== %s\n' "$1"
}

stage_end() {
  [ -n "$stage_name" ] || return 0
  stage_report+=$(printf '%6d s  %s' "$(($(date +%s) - stage_start))" "$stage_name")$'\n'
  stage_name=
}

# stages: end the last stage and print how long each took.
stages() {
  stage_end
  printf '\nStages:\n%s%6d s  total\n' "$stage_report" "$(($(date +%s) - script_start))"
}

# Print the newest Python of 3.11 to 3.13 on PATH.
find_python() {
  local candidate
  for candidate in python3.13 python3.12 python3.11 python3 python; do
    if "$candidate" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' 2>/dev/null; then
      printf '%s' "$candidate"
      return 0
    fi
  done
  echo 'mnemo needs Python 3.11, 3.12 or 3.13 on PATH' >&2
  return 1
}

# environment REQUIREMENTS...: create .venv and install into it, unless already done for this pyproject.toml.
environment() {
  local stamp=".venv/.installed-for" fingerprint
  if [ ! -x .venv/bin/python ]; then
    if ! "$(find_python)" -m venv .venv; then
      echo 'cannot create .venv; on Debian and Ubuntu, install the package python3-venv' >&2
      return 1
    fi
  fi
  fingerprint="$* $(.venv/bin/python -c 'import hashlib, pathlib; print(hashlib.sha256(pathlib.Path("pyproject.toml").read_bytes()).hexdigest())')"
  if [ -f "$stamp" ] && grep -qxF -e "$fingerprint" "$stamp"; then
    echo 'already installed'
    return 0
  fi
  .venv/bin/python -m pip install --quiet --upgrade 'pip>=25.1'
  .venv/bin/python -m pip install --quiet "$@"
  printf '%s\n' "$fingerprint" >>"$stamp"
}
