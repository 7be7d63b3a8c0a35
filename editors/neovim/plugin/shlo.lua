-- StableHLO and MLIR: file type, language server, commands. :help shlo
if vim.g.loaded_shlo then
  return
end
vim.g.loaded_shlo = true

local group = vim.api.nvim_create_augroup("shlo", {})

if vim.fn.has("nvim-0.8") == 1 then
  vim.filetype.add({ extension = { mlir = "mlir" } })
else
  vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { group = group, pattern = "*.mlir", command = "setfiletype mlir" })
end

require("shlo").register(group)

vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = "*.mlirbc",
  callback = function(event)
    require("shlo").read_bytecode(event.buf, event.match)
  end,
})
vim.api.nvim_create_autocmd("BufWriteCmd", {
  group = group,
  pattern = "*.mlirbc",
  callback = function(event)
    require("shlo").write_bytecode(event.buf, event.match)
  end,
})

local function command(name, action, options)
  vim.api.nvim_create_user_command(name, action, options)
end

command("ShloRun", function(given)
  require("shlo").run(given.fargs, given.bang)
end, { nargs = "*", bang = true, complete = "file", desc = "Run the function at the cursor; !: make missing arguments up" })
command("ShloCheck", function(given)
  require("shlo").check(given.fargs)
end, { nargs = "*", desc = "Findings of `shlo check` in the quickfix list" })
command("ShloFormat", function(given)
  require("shlo").format(given.range > 0 and { given.line1, given.line2 } or nil)
end, { range = true, desc = "Format the program, or lines of it" })
command("ShloFix", function()
  require("shlo").fix_all()
end, { desc = "Apply all fixes of the file" })
command("ShloDebug", function(given)
  require("shlo").debug(given.fargs)
end, { nargs = "*", complete = "file", desc = "Step through the function at the cursor, in a terminal" })
