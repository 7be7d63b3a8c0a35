#!/bin/sh
# Installs what the end-to-end tests drive: Debian packages, and code-server from the npm registry alone.
# A newer Neovim than Debian's comes with the extra `e2e`.
#   tests/e2e/install-tools.sh [DIRECTORY]    code-server goes there (.e2e unless said otherwise)
set -eu
directory=${1:-$(dirname "$0")/../../.e2e}
version=4.100.3 # the last one for Node 20

packages="tmux ripgrep pkg-config libsecret-1-dev fonts-dejavu-core fonts-firacode g++ make"
# Ubuntu has no package `chromium`: runners of GitHub bring a browser of their own.
command -v chromium >/dev/null || command -v google-chrome >/dev/null || packages="$packages chromium"
command -v node >/dev/null || packages="$packages nodejs npm"
command -v nvim >/dev/null || packages="$packages neovim"
command -v emacs >/dev/null || packages="$packages emacs-nox"
sudo=$(test "$(id -u)" = 0 || echo sudo)
if ! dpkg -s $packages >/dev/null 2>&1; then
	$sudo apt-get update -qq
	$sudo apt-get install -qq -y --no-install-recommends $packages
fi
# Emacs before 29 has no Eglot of its own.
emacs -q --batch --eval '(package-initialize)' -l eglot >/dev/null 2>&1 ||
	$sudo apt-get install -qq -y --no-install-recommends elpa-eglot

npm_install="npm install --ignore-scripts --no-audit --no-fund --loglevel=error"
mkdir -p "$directory"
cd "$directory"
directory=$PWD

# The client of the debug adapter protocol that VS Code's own adapters are tested with.
if ! test -d debug-client/node_modules/@vscode/debugadapter-testsupport; then
	mkdir -p debug-client
	echo '{"private": true}' >debug-client/package.json
	(cd debug-client && $npm_install @vscode/debugadapter-testsupport@1.68.0)
fi

server="$directory/node_modules/code-server"
test -e "$server/ready" && exit
test -f package.json || echo '{"private": true}' >package.json
$npm_install "code-server@$version"
(cd "$server/lib/vscode" && $npm_install --omit=dev)
(cd "$server/lib/vscode/extensions" && $npm_install --omit=dev)

# Scripts of packages download things and were not run: this is what they would have left.
ln -sfn node_modules "$server/lib/vscode/node_modules.asar"
mkdir -p "$server/lib/vscode/node_modules/@vscode/ripgrep/bin"
ln -sf "$(command -v rg)" "$server/lib/vscode/node_modules/@vscode/ripgrep/bin/rg"
gyp="$(dirname "$(readlink -f "$(command -v npm)")")/../node_modules/node-gyp/bin/node-gyp.js"
headers=${NODE_HEADERS:-$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")}
# They are small and run for minutes: to optimise them takes longer than they do. Kerberos is for proxies alone.
export CFLAGS=-O0 CXXFLAGS=-O0
find "$PWD/node_modules" -name binding.gyp -not -path '*/deps/*' -not -path '*/node-addon-api/*' -printf '%h\n' |
	grep -v -e windows -e deviceid -e kerberos | sort | while read -r module; do
	arguments=
	case $module in
	*/argon2) grep -q node-pre-gyp "$module/package.json" &&
		arguments="--module_name=argon2 --module_path=$module/lib/binding/napi-v3 --napi_version=9 --napi_build_version=3 --node_napi_label=napi-v3" ;;
	esac
	(cd "$module" && node "$gyp" rebuild --nodedir="$headers" -j 2 $arguments >build.log 2>&1) ||
		{ echo "could not build $module:" >&2; tail -5 "$module/build.log" >&2; }
done
node "$server/out/node/entry.js" --config "$directory/code-server.yaml" --version
touch "$server/ready"
