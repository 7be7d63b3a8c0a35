// SYNTAX TEST "source.mlir" "comments, test directives and split lines"

  x.y // the rest is %no value @nor symbol
//^^^ support.function.operation.mlir
//    ^^^^^^^^^^^^^^^ comment.line.double-slash.mlir
//                   ^^^ comment.line.double-slash.mlir - variable.other.value.mlir
//                             ^^^^ comment.line.double-slash.mlir - entity.name.function.symbol.mlir
// RUN: shlo check %s | grep error
// ^^^^ comment.line.double-slash.mlir keyword.other.directive.mlir
//                 ^^ comment.line.double-slash.mlir - variable.other.value.mlir
  // CHECK-SAME{LITERAL}: [[1, 2]]
//   ^^^^^^^^^^^^^^^^^^^^ comment.line.double-slash.mlir keyword.other.directive.mlir
  // expected-error@+1 {{use of '%x'}}
//   ^^^^^^^^^^^^^^ comment.line.double-slash.mlir keyword.other.directive.mlir
//                 ^^^ comment.line.double-slash.mlir constant.numeric.line.mlir
//                     ^^^^^^^^^^^^^^^ comment.line.double-slash.mlir string.other.expected.mlir
  // expected-warning-re@below {{.*}}
//   ^^^^^^^^^^^^^^^^^^^ keyword.other.directive.mlir
//                      ^^^^^^ constant.numeric.line.mlir
// -----
// ^^^^^ comment.line.double-slash.mlir keyword.other.separator.mlir
  x.y {url = "http://no.comment"} // one
//            ^^^^^^^^^^^^^^^^^ string.quoted.double.mlir - comment.line.double-slash.mlir
//                                ^^^^^^ comment.line.double-slash.mlir
