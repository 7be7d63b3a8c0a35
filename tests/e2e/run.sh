#!/bin/sh
# Installs the tools, builds what is tested, and runs the end-to-end tests with the given Python.
#   tests/e2e/run.sh PYTHON
# What cannot be installed or built is skipped loudly; E2E_REQUIRED=1 makes that a failure.
set -eu
python=$1
try() {
	"$@" && return
	echo "e2e: could not run: $*" >&2
	test "${E2E_REQUIRED:-}" != 1
}
try sh tests/e2e/install-tools.sh
try make web
try make labextension
try make vsix
"$python" -m pytest tests/e2e
