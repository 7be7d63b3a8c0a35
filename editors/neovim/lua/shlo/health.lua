--- :checkhealth shlo
local M = {}

local health = vim.health
local report = {
  start = health.start or health.report_start,
  ok = health.ok or health.report_ok,
  warn = health.warn or health.report_warn,
  error = health.error or health.report_error,
}

function M.check()
  report.start("shlo")
  local command = require("shlo").config().cmd
  if vim.fn.executable(command[1]) == 0 then
    report.error(command[1] .. " is not executable", { "pip install 'shlo[lsp]'", "or set vim.g.shlo.command" })
    return
  end
  local version = vim.list_extend(vim.list_slice(command, 1, #command - 1), { "--version" })
  report.ok(vim.fn.systemlist(version)[1] or "")
  if vim.lsp.is_enabled and vim.lsp.is_enabled("mlir_lsp_server") then
    report.warn("mlir_lsp_server is enabled, too: findings and hovers appear twice", {
      'vim.lsp.enable("mlir_lsp_server", false)',
    })
  end
end

return M
