" Colours until the server's semantic tokens are there, or where Neovim has none (before 0.9).
if exists("b:current_syntax")
  finish
endif
syntax match mlirComment "//.*$" contains=@Spell
syntax region mlirString start=+"+ skip=+\\.+ end=+"+ oneline
syntax match mlirOperation "\<[a-z_][a-zA-Z0-9_]*\.[a-z_][a-zA-Z0-9_.$]*"
syntax match mlirValue "%[-a-zA-Z0-9$._]\+\(#\d\+\)\?"
syntax match mlirSymbol "@\([-a-zA-Z0-9$._]\+\|\"[^"]*\"\)"
syntax match mlirAlias "[#!][a-zA-Z_][-a-zA-Z0-9$._]*"
syntax match mlirBlock "\^[-a-zA-Z0-9$._]\+"
syntax match mlirType "\<\([su]\?i\d\+\|ui\d\+\|bf16\|f\d\+\(E\d\+M\d\+[A-Z0-9]*\)\?\|index\|none\)\>"
syntax match mlirType "\<\(tensor\|vector\|memref\|tuple\|complex\)<\@="
syntax match mlirDimensions "\([0-9]\+x\|?x\)\+" contained containedin=mlirShape
syntax match mlirShape "<\@<=\([0-9]\+x\|?x\)\+[a-zA-Z0-9]*" contains=mlirDimensions,mlirElement
syntax match mlirElement "x\@<=\([su]\?i\d\+\|ui\d\+\|bf16\|f\d\+\(E\d\+M\d\+[A-Z0-9]*\)\?\|index\|complex\)\>" contained
syntax match mlirNumber "\<-\?\d\+\(\.\d*\([eE][-+]\?\d\+\)\?\)\?\>"
syntax match mlirNumber "\<0x\x\+\>"
syntax keyword mlirKeyword module func return call private public nested attributes loc applies across dimensions dense true false unit

highlight default link mlirComment Comment
highlight default link mlirString String
highlight default link mlirOperation Function
highlight default link mlirValue Identifier
highlight default link mlirSymbol Special
highlight default link mlirAlias PreProc
highlight default link mlirBlock Label
highlight default link mlirType Type
highlight default link mlirElement Type
highlight default link mlirDimensions Number
highlight default link mlirNumber Number
highlight default link mlirKeyword Keyword
let b:current_syntax = "mlir"
