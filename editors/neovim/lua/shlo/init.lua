--- StableHLO and MLIR by `shlo lsp`, in Neovim 0.7 and newer. Options are in `vim.g.shlo`, see :help shlo.
local M = {}

local has_native_config = vim.lsp.config ~= nil and vim.lsp.enable ~= nil
local failures = vim.api.nvim_create_namespace("shlo.run")
local EDIT_TIMEOUT_MS = 10000
local results
local started -- the one client, before Neovim 0.8

local function option(name, default)
  local value = (vim.g.shlo or {})[name]
  if value == nil then
    return default
  end
  return value
end

local function notify(text, level)
  vim.notify("shlo: " .. text, level or vim.log.levels.ERROR)
end

--- Returns the command that is `shlo`, followed by arguments. Programs of a workspace are never it.
local function shlo(...)
  return vim.list_extend(vim.deepcopy(option("command", { "shlo" })), { ... })
end

--- Returns the configuration of the language server.
function M.config()
  local commands = { debug = "shlo.debug", test = "shlo.test", references = "shlo.references" }
  return {
    name = "shlo",
    cmd = shlo("lsp"),
    filetypes = { "mlir" },
    root_markers = { ".git" },
    init_options = vim.tbl_extend("force", { commands = commands }, option("init_options", {})),
  }
end

--- Returns the client of a buffer, or nil and says so.
local function client_of(bufnr)
  local clients
  if vim.lsp.get_clients then
    clients = vim.lsp.get_clients({ bufnr = bufnr, name = "shlo" })
  else
    clients = vim.tbl_filter(function(client)
      return client.name == "shlo"
    end, vim.lsp.buf_get_clients(bufnr))
  end
  if #clients == 0 then
    notify("the language server does not run here; :checkhealth shlo")
  end
  return clients[1]
end

local is_method = vim.fn.has("nvim-0.11") == 1

local function request(client, method, params, bufnr, done)
  local function handler(err, result)
    if err then
      notify(err.message)
    else
      done(result)
    end
  end
  if is_method then
    client:request(method, params, handler, bufnr)
  else
    client.request(method, params, handler, bufnr)
  end
end

local function request_now(client, method, params, bufnr)
  local answer, reason
  if is_method then
    answer, reason = client:request_sync(method, params, EDIT_TIMEOUT_MS, bufnr)
  else
    answer, reason = client.request_sync(method, params, EDIT_TIMEOUT_MS, bufnr)
  end
  if not answer or answer.err then
    notify(answer and answer.err.message or ("no answer: " .. tostring(reason)))
    return nil
  end
  return answer.result
end

local function show(text)
  if not (results and vim.api.nvim_buf_is_valid(results)) then
    results = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_name(results, "shlo://results")
  end
  vim.api.nvim_buf_set_lines(results, 0, -1, false, vim.split(text, "\n"))
  if vim.fn.bufwinid(results) == -1 then
    local window = vim.api.nvim_get_current_win()
    vim.cmd("botright 12split")
    vim.api.nvim_win_set_buf(0, results)
    vim.api.nvim_set_current_win(window)
  end
end

--- Runs a function by the server; its results are shown, and where it fails is a diagnostic.
local function run(client, argument, bufnr)
  local params = { command = "shlo.run", arguments = { argument } }
  request(client, "workspace/executeCommand", params, bufnr, function(outcome)
    show(outcome.text)
    local found = {}
    if type(outcome.position) == "table" then
      found[1] = {
        lnum = outcome.position.line,
        col = outcome.position.character,
        message = outcome.message,
        source = "shlo run",
        severity = vim.diagnostic.severity.ERROR,
      }
    end
    vim.diagnostic.set(failures, bufnr, found)
  end)
end

--- Calls `done` with the argument of the lens "Run" of the function at the cursor.
local function with_function(client, bufnr, done)
  local line = vim.api.nvim_win_get_cursor(0)[1] - 1
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  request(client, "textDocument/codeLens", params, bufnr, function(lenses)
    local chosen
    for _, lens in ipairs(lenses or {}) do
      local is_before = lens.range.start.line <= line
      local command = lens.command and lens.command.command -- one that is still to be resolved has none
      if command == "shlo.run" and (is_before or not chosen) then
        chosen = lens.command.arguments[1]
      end
    end
    if chosen then
      done(chosen)
    else
      notify("no function can be run here", vim.log.levels.WARN)
    end
  end)
end

--- Runs the function at the cursor on arguments (files and literals, as for `shlo run`); without any, or for
--- the missing ones where `fill` is true, on random ones.
function M.run(arguments, fill)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return
  end
  with_function(client, bufnr, function(argument)
    if #arguments > 0 then
      argument.random = nil
      argument.filling = fill and "random" or nil
      argument.arguments = vim.tbl_map(function(text)
        return vim.fn.filereadable(text) == 1 and vim.fn.fnamemodify(text, ":p") or text
      end, arguments)
    end
    run(client, argument, bufnr)
  end)
end

local function debug_function(file, name, arguments)
  local command = vim.list_extend(shlo("debug", "--entry", name, file), arguments)
  if not vim.tbl_contains(arguments, "--zeros") and not vim.tbl_contains(arguments, "--random") then
    vim.list_extend(command, { "--random", "0" })
  end
  vim.cmd("tabnew")
  if is_method then
    vim.fn.jobstart(command, { term = true })
  else
    vim.fn.termopen(command)
  end
  vim.cmd("startinsert")
end

--- Opens the debugger in a terminal, at the function at the cursor of the file as it is saved.
function M.debug(arguments)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if client then
    with_function(client, bufnr, function(argument)
      debug_function(vim.api.nvim_buf_get_name(bufnr), argument["function"], arguments)
    end)
  end
end

local KINDS = { error = "E", warning = "W", note = "N" }

--- Lists what `shlo check` says of the text of the buffer.
function M.check(options)
  local bufnr = vim.api.nvim_get_current_buf()
  local text = table.concat(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), "\n") .. "\n"
  local command = vim.list_extend(shlo("check", "--format", "json"), options)
  if ("\n" .. text):find("\n// %-%-%-%-%-") then
    table.insert(command, "--split-input-file")
  end
  table.insert(command, "-")
  local errors = {}
  local job = vim.fn.jobstart(command, {
    stdout_buffered = true,
    stderr_buffered = true,
    on_stderr = function(_, lines)
      errors = lines
    end,
    on_stdout = function(_, lines)
      local output = table.concat(lines, "\n")
      local is_json, report = pcall(vim.fn.json_decode, output)
      if output == "" or not is_json then
        vim.schedule(function()
          notify(table.concat(errors, "\n"))
        end)
        return
      end
      local items = {}
      for _, file in ipairs(report.files) do
        for _, each in ipairs(file.findings) do
          table.insert(items, {
            bufnr = bufnr,
            lnum = each.range.start.line,
            col = each.range.start.column,
            type = KINDS[each.severity] or "I",
            text = ("%s [%s]"):format(each.message, each.code),
          })
        end
      end
      vim.fn.setqflist({}, " ", { title = "shlo check", items = items })
      if #items > 0 then
        vim.cmd("botright cwindow | wincmd p")
      else
        vim.cmd("cclose")
        notify("no findings", vim.log.levels.INFO)
      end
    end,
  })
  vim.fn.chansend(job, text)
  vim.fn.chanclose(job, "stdin")
end

--- Formats the buffer, or the lines from the first to the last of a pair.
function M.format(lines)
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return
  end
  local params = vim.lsp.util.make_formatting_params()
  local method = "textDocument/formatting"
  if lines then
    method = "textDocument/rangeFormatting"
    params.range = { start = { line = lines[1] - 1, character = 0 }, ["end"] = { line = lines[2], character = 0 } }
  end
  local edits = request_now(client, method, params, bufnr)
  if edits then
    vim.lsp.util.apply_text_edits(edits, bufnr, client.offset_encoding)
  end
end

--- Applies the fixes of all findings of the buffer that have one.
function M.fix_all()
  local bufnr = vim.api.nvim_get_current_buf()
  local client = client_of(bufnr)
  if not client then
    return
  end
  local params = {
    textDocument = vim.lsp.util.make_text_document_params(bufnr),
    range = {
      start = { line = 0, character = 0 },
      ["end"] = { line = vim.api.nvim_buf_line_count(bufnr), character = 0 },
    },
    context = { diagnostics = {}, only = { "source.fixAll.shlo" } },
  }
  local actions = request_now(client, "textDocument/codeAction", params, bufnr)
  if actions and actions[1] then
    vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
  elseif actions then
    notify("no finding has a sure fix", vim.log.levels.INFO)
  end
end

--- What tells a file from what it was before it was written.
local function edition_of(file)
  local status = vim.loop.fs_stat(file) or { mtime = {} }
  return table.concat({ status.mtime.sec or 0, status.mtime.nsec or 0, status.size or 0 }, " ")
end

--- Runs the command, waits for it, and gives the lines that it wrote; nothing, and its message, where it fails.
local function output_of(...)
  local errors = vim.fn.tempname()
  local words = vim.tbl_map(vim.fn.shellescape, shlo(...))
  local lines = vim.fn.systemlist(table.concat(words, " ") .. " 2>" .. vim.fn.shellescape(errors))
  local code, message = vim.v.shell_error, table.concat(vim.fn.readfile(errors), "\n")
  vim.fn.delete(errors)
  if code == 0 then
    return lines
  end
  notify(message)
end

--- Fills a buffer with the text of a file of bytecode.
function M.read_bytecode(bufnr, file)
  local lines = output_of("fmt", file)
  vim.bo[bufnr].modifiable = true
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, lines or {})
  vim.bo[bufnr].modified = false
  vim.bo[bufnr].modifiable = lines ~= nil
  vim.b[bufnr].shlo_edition = edition_of(file)
  vim.bo[bufnr].filetype = "mlir"
end

--- Writes a file of bytecode from its edited text, as what it is.
function M.write_bytecode(bufnr, file)
  if vim.b[bufnr].shlo_edition ~= edition_of(file) then
    return notify(file .. " has changed since its text was made: open it again and repeat the edit")
  end
  local text = vim.fn.tempname() .. ".mlir"
  vim.fn.writefile(vim.api.nvim_buf_get_lines(bufnr, 0, -1, false), text)
  local is_written = output_of("edit", file, "--text", text) ~= nil
  vim.fn.delete(text)
  if is_written then
    vim.bo[bufnr].modified = false
    vim.b[bufnr].shlo_edition = edition_of(file)
  end
end

local function client_of_command(context)
  return vim.lsp.get_client_by_id(context.client_id)
end

--- What the lenses above functions do.
local COMMANDS = {
  ["shlo.run"] = function(command, context)
    run(client_of_command(context), command.arguments[1], context.bufnr)
  end,
  ["shlo.debug"] = function(command, context)
    debug_function(vim.api.nvim_buf_get_name(context.bufnr), command.arguments[1]["function"], {})
  end,
  ["shlo.references"] = function(command, context)
    local encoding = client_of_command(context).offset_encoding
    local items = vim.lsp.util.locations_to_items(command.arguments[3], encoding)
    vim.fn.setqflist({}, " ", { title = "uses", items = items })
    vim.cmd("botright cwindow")
  end,
}
COMMANDS["shlo.test"] = COMMANDS["shlo.run"]

--- Shows lenses and hints in a buffer that the server has been attached to.
function M.attach(bufnr)
  if option("code_lens", true) then
    if vim.lsp.codelens.enable then -- 0.12 and newer
      vim.lsp.codelens.enable(true, { bufnr = bufnr })
    else
      local function refresh()
        if vim.api.nvim_get_current_buf() == bufnr then
          vim.lsp.codelens.refresh(is_method and { bufnr = bufnr } or nil)
        end
      end
      vim.api.nvim_create_autocmd({ "BufEnter", "InsertLeave", "BufWritePost" }, {
        group = vim.api.nvim_create_augroup("shlo.lenses." .. bufnr, {}),
        buffer = bufnr,
        callback = refresh,
      })
      vim.schedule(refresh)
    end
  end
  if option("inlay_hints", true) and vim.lsp.inlay_hint then -- 0.10 and newer
    vim.lsp.inlay_hint.enable(true, { bufnr = bufnr })
  end
end

--- Starts the server for a buffer, or attaches the one that runs for the same root, before Neovim 0.11.
local function start(bufnr)
  local config = M.config()
  local file = vim.api.nvim_buf_get_name(bufnr)
  if vim.fs and vim.fs.find then
    local marker = vim.fs.find(config.root_markers, { upward = true, path = vim.fn.fnamemodify(file, ":p:h") })[1]
    config.root_dir = marker and vim.fn.fnamemodify(marker, ":p:h")
    if vim.fn.isdirectory(marker or "") == 1 then
      config.root_dir = vim.fn.fnamemodify(marker, ":p:h:h")
    end
  end
  if vim.lsp.start then
    vim.lsp.start(config, { bufnr = bufnr })
    return
  end
  config.on_attach = function(_, attached)
    M.attach(attached)
  end
  if not (started and vim.lsp.get_client_by_id(started)) then
    started = vim.lsp.start_client(config)
  end
  if started then
    vim.lsp.buf_attach_client(bufnr, started)
  end
end

--- Starts the server for programs from now on; plugin/shlo.lua calls it.
function M.register(group)
  for name, action in pairs(COMMANDS) do
    vim.lsp.commands[name] = action
  end
  if vim.fn.has("nvim-0.8") == 1 then
    vim.api.nvim_create_autocmd("LspAttach", {
      group = group,
      callback = function(event)
        local client = vim.lsp.get_client_by_id(event.data.client_id)
        if client and client.name == "shlo" then
          M.attach(event.buf)
        end
      end,
    })
  end
  if not option("enabled", true) then
    return
  end
  if has_native_config then
    vim.lsp.enable("shlo")
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = "mlir",
    callback = function(event)
      if vim.bo[event.buf].buftype == "" and vim.fn.executable(shlo()[1]) == 1 then
        start(event.buf)
      end
    end,
  })
end

return M
