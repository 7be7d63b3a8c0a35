// SYNTAX TEST "source.mlir" "locations"

#loc1 = loc("file.py":10:4 to 10:20)
// <----- variable.other.constant.attribute.mlir
//      ^^^ keyword.other.location.mlir
//          ^^^^^^^^^ string.quoted.double.mlir
//                    ^^ constant.numeric.integer.mlir
//                         ^^ keyword.other.mlir
//                               ^^ constant.numeric.integer.mlir
#loc2 = loc(callsite(#loc1 at unknown))
//          ^^^^^^^^ keyword.other.location.mlir
//                   ^^^^^ variable.other.constant.attribute.mlir
//                         ^^ keyword.other.location.mlir
#loc3 = loc(fused<"fold">["a", #loc1])
//          ^^^^^ keyword.other.location.mlir
//                ^^^^^^ string.quoted.double.mlir
//                             ^^^^^ variable.other.constant.attribute.mlir
  return loc(unknown)
//^^^^^^ keyword.other.operation.mlir
//       ^^^ keyword.other.location.mlir
//           ^^^^^^^ keyword.other.location.mlir
  %0 = x.y loc("jit(f)/add"(#loc1))
//         ^^^ keyword.other.location.mlir
//             ^^^^^^^^^^^^ string.quoted.double.mlir
//                          ^^^^^ variable.other.constant.attribute.mlir
