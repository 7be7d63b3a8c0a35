;;; shlo.el --- StableHLO and MLIR by the language server shlo -*- lexical-binding: t; -*-

;; Author: The shlo authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))
;; Keywords: languages, tools
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; A major mode for `.mlir' files, and the language server `shlo lsp' for it (and for
;; LLVM's `mlir-mode', where that is installed).  `pip install 'shlo[lsp]'' brings the
;; server.
;;
;;   (add-to-list 'load-path "…/editors/emacs")
;;   (require 'shlo)
;;   (add-hook 'shlo-mode-hook #'eglot-ensure)
;;
;; `C-c C-c' runs the function at point, `C-c C-v' checks the file, `C-c C-f' formats the
;; program, `C-c C-x' applies all fixes.  The rest is Eglot's: `M-.', `M-?',
;; `eglot-rename', `eglot-code-actions', `eglot-inlay-hints-mode'.

;;; Code:

(require 'compile)
(require 'eglot)
(require 'jsonrpc)

(defgroup shlo nil
  "StableHLO and MLIR programs."
  :group 'languages
  :prefix "shlo-")

(defcustom shlo-command '("shlo")
  "The command shlo, a list of a program and arguments.
Name its path where it is not on PATH.  Programs of a project are never used."
  :type '(repeat string))

(defcustom shlo-initialization-options nil
  "Settings of the server, a property list such as (:strict t :unused :json-false)."
  :type 'plist)

(defvar shlo-mode-syntax-table
  (let ((table (make-syntax-table)))
    (dolist (character '(?% ?@ ?# ?! ?^ ?. ?$ ?_))
      (modify-syntax-entry character "_" table))
    (modify-syntax-entry ?/ ". 12" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?- "." table)
    table)
  "Syntax of MLIR.")

(defconst shlo--element-type
  "\\(?:[su]?i[0-9]+\\|ui[0-9]+\\|bf16\\|f[0-9]+\\(?:E[0-9]+M[0-9]+[A-Z0-9]*\\)?\\|index\\|none\\)")

(defconst shlo-font-lock-keywords
  `(("%[-a-zA-Z0-9$._]+\\(?:#[0-9]+\\)?" . font-lock-variable-name-face)
    ("@[-a-zA-Z0-9$._]+" . font-lock-function-name-face)
    ("[#!][a-zA-Z_][-a-zA-Z0-9$._]*" . font-lock-preprocessor-face)
    ("\\^[-a-zA-Z0-9$._]+" . font-lock-constant-face)
    (,(concat "\\_<\\(?:[0-9?]+x\\)+\\(" shlo--element-type "\\)?\\_>") . font-lock-type-face)
    (,(concat "\\_<" shlo--element-type "\\_>") . font-lock-type-face)
    ("\\_<\\(?:tensor\\|vector\\|memref\\|tuple\\|complex\\)\\_>" . font-lock-type-face)
    ("\\_<[a-z_][a-zA-Z0-9_]*\\.[a-z_][a-zA-Z0-9_.$]*\\_>" . font-lock-builtin-face)
    (,(regexp-opt '("module" "func" "return" "call" "private" "public" "nested" "attributes"
                    "loc" "applies" "across" "dimensions" "dense" "true" "false" "unit")
                  'symbols)
     . font-lock-keyword-face))
  "Colours of MLIR where those of the server are not there.")

(defvar shlo-mode-map
  (let ((map (make-sparse-keymap)))
    (define-key map (kbd "C-c C-c") #'shlo-run)
    (define-key map (kbd "C-c C-v") #'shlo-check)
    (define-key map (kbd "C-c C-f") #'shlo-format)
    (define-key map (kbd "C-c C-x") #'shlo-fix-all)
    map)
  "Keys of `shlo-mode'.")

;;;###autoload
(define-derived-mode shlo-mode prog-mode "MLIR"
  "Major mode for StableHLO and other MLIR programs."
  (setq-local comment-start "// ")
  (setq-local comment-end "")
  (setq-local comment-start-skip "//+[ \t]*")
  (setq-local indent-tabs-mode nil)
  (setq-local font-lock-defaults '(shlo-font-lock-keywords))
  (setq-local imenu-generic-expression
              `((nil ,(concat "^[ \t]*func\\.func[ \t]+"
                              "\\(?:\\(?:private\\|public\\|nested\\)[ \t]+\\)?"
                              "@\\([-a-zA-Z0-9$._]+\\)")
                     1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mlir\\'" . shlo-mode))

;;;###autoload
(define-derived-mode shlo-bytecode-mode shlo-mode "MLIR bytecode"
  "Major mode for files of bytecode, which are shown as text and cannot be edited."
  (let* ((inhibit-read-only t)
         (errors (make-temp-file "shlo"))
         (command `(,@shlo-command "fmt" ,buffer-file-name)))
    (erase-buffer)
    (set-buffer-multibyte t)
    (let ((coding-system-for-read 'utf-8))
      (unless (eql 0 (apply #'call-process (car command) nil (list t errors) nil (cdr command)))
        (insert-file-contents errors)))
    (delete-file errors)
    (goto-char (point-min))
    (set-buffer-modified-p nil))
  (setq buffer-read-only t)
  (add-hook 'write-contents-functions
            (lambda () (user-error "Bytecode is shown, not edited; \"shlo convert\" writes it"))
            nil t))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.mlirbc\\'" . shlo-bytecode-mode))

(put 'shlo-mode 'eglot-language-id "mlir")
(put 'shlo-bytecode-mode 'eglot-language-id "mlir")
(put 'mlir-mode 'eglot-language-id "mlir")

(defun shlo--contact (&optional _interactive)
  "Return how Eglot is to start the server."
  `(,@shlo-command "lsp"
    :initializationOptions ,(or shlo-initialization-options (make-hash-table))))

(add-to-list 'eglot-server-programs '((shlo-mode mlir-mode) . shlo--contact))

(defun shlo--server ()
  "Return the server of the buffer."
  (or (eglot-current-server) (user-error "No language server here; M-x eglot starts it")))

(defun shlo--document ()
  "Return the protocol's name of the buffer."
  (list :uri (plist-get (eglot--TextDocumentIdentifier) :uri)))

(defun shlo--runnable (server)
  "Return the argument with which SERVER runs the function at point."
  (let ((line (1- (line-number-at-pos nil t)))
        (lenses (jsonrpc-request server :textDocument/codeLens
                                 (list :textDocument (shlo--document))
                                 :deferred :shlo/codeLens))
        chosen)
    (seq-doseq (lens lenses)
      (let ((start (plist-get (plist-get (plist-get lens :range) :start) :line))
            (command (plist-get lens :command)))
        (when (and (equal (plist-get command :command) "shlo.run")
                   (or (<= start line) (not chosen)))
          (setq chosen (aref (plist-get command :arguments) 0)))))
    (or chosen (user-error "No function can be run here"))))

(defun shlo--show-results (outcome)
  "Show the OUTCOME of a run."
  (with-current-buffer (get-buffer-create "*shlo results*")
    (unless (derived-mode-p 'special-mode) (special-mode))
    (let ((inhibit-read-only t))
      (erase-buffer)
      (insert (plist-get outcome :text) "\n")
      (goto-char (point-min)))
    (display-buffer (current-buffer))))

(defun shlo--argument (text)
  "Return TEXT, with its whole path where it names a file."
  (if (file-regular-p text) (expand-file-name text) text))

;;;###autoload
(defun shlo-run (&optional arguments)
  "Run the function at point, on random arguments or those in ARGUMENTS.
With a prefix argument, ask for them: literals and files (.npy, .npz), as the
command \"shlo run\" takes them."
  (interactive (list (and current-prefix-arg
                          (split-string-and-unquote (read-string "Arguments: ")))))
  (let* ((server (shlo--server))
         (argument (shlo--runnable server)))
    (when arguments
      (setq argument
            (list :uri (plist-get argument :uri)
                  :function (plist-get argument :function)
                  :program (plist-get argument :program)
                  :arguments (vconcat (mapcar #'shlo--argument arguments)))))
    (jsonrpc-async-request server :workspace/executeCommand
                           (list :command "shlo.run" :arguments (vector argument))
                           :success-fn #'shlo--show-results
                           :error-fn (lambda (problem)
                                       (message "shlo: %s" (plist-get problem :message)))
                           :timeout 86400)
    (message "shlo: running @%s" (plist-get argument :function))))

;;;###autoload
(defun shlo-check (&optional options)
  "Check the file by \"shlo check\", its findings in a compilation buffer.
With a prefix argument, ask for OPTIONS, such as \"--no-strict\"."
  (interactive (list (and current-prefix-arg
                          (split-string-and-unquote (read-string "Options: ")))))
  (save-some-buffers (not compilation-ask-about-save)
                     (let ((buffer (current-buffer))) (lambda () (eq (current-buffer) buffer))))
  (let ((command `(,@shlo-command "check" ,@options ,(buffer-file-name))))
    (compilation-start (mapconcat #'shell-quote-argument command " ")
                       nil (lambda (_mode) "*shlo check*"))))

;;;###autoload
(defun shlo-format ()
  "Format the region, or the program."
  (interactive)
  (shlo--server)
  (call-interactively #'eglot-format))

;;;###autoload
(defun shlo-fix-all ()
  "Apply the fixes of all findings of the buffer that have one."
  (interactive)
  (let* ((server (shlo--server))
         (end (save-restriction (widen) (line-number-at-pos (point-max))))
         (range (list :start '(:line 0 :character 0) :end (list :line end :character 0)))
         (actions (jsonrpc-request
                   server :textDocument/codeAction
                   (list :textDocument (shlo--document) :range range
                         :context '(:diagnostics [] :only ["source.fixAll.shlo"]))
                   :deferred :shlo/fixAll)))
    (if (zerop (length actions))
        (message "shlo: no finding has a sure fix")
      (shlo--apply (plist-get (aref actions 0) :edit)))))

(defun shlo--apply (edit)
  "Apply EDIT, which the server made of the text of the buffer as it is."
  (let* ((changes (plist-get edit :documentChanges))
         (edits (if (> (length changes) 0)
                    (plist-get (aref changes 0) :edits)
                  (cadr (plist-get edit :changes)))))
    (eglot--apply-text-edits edits)))

(provide 'shlo)
;;; shlo.el ends here
