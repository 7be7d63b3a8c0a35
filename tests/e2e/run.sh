#!/bin/sh
# Installs the tools, builds what is tested, and runs the end-to-end tests with the given Python.
#   tests/e2e/run.sh PYTHON [OPTION...]    options are those of pytest
# What cannot be installed or built is skipped loudly; E2E_REQUIRED=1 makes that a failure. What fails is run once
# more, in new programs: a browser or an editor on a busy machine may lose a key or a click that a person would
# repeat. A test that fails twice is a failure; one that fails once is to be mended all the same. Two files run at a
# time: the tests wait for programs most of the time.
set -eu
python=$1
shift
try() {
	"$@" && return
	echo "e2e: could not run: $*" >&2
	test "${E2E_REQUIRED:-}" != 1
}
try sh tests/e2e/install-tools.sh
try make web
try make labextension
try make vsix
"$python" -m pytest tests/e2e -n 2 --dist loadfile "$@" && exit
echo "e2e: runs once more what failed" >&2
"$python" -m pytest tests/e2e --last-failed
