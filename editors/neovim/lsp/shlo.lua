-- Neovim 0.11 and newer finds this on the runtime path; vim.lsp.config("shlo", {...}) adds to it.
return require("shlo").config()
