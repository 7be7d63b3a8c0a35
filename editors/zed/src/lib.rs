//! Starts `shlo lsp`, the command on the path of the worktree's shell.

use zed_extension_api as zed;

struct Shlo;

impl zed::Extension for Shlo {
    fn new() -> Self {
        Shlo
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree
            .which("shlo")
            .ok_or("shlo is not on PATH: pip install 'shlo[lsp]', or set lsp.shlo.binary.path")?;
        Ok(zed::Command {
            command,
            args: vec!["lsp".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Shlo);
