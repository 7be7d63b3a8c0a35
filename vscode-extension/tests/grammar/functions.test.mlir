// SYNTAX TEST "source.mlir" "modules, functions and symbols"

module @jit_f attributes {mhlo.num_partitions = 1 : i32, jax.uses_shape_polymorphism = true} {
// <------ keyword.other.operation.mlir
//     ^^^^^^ entity.name.function.symbol.mlir
//            ^^^^^^^^^^ keyword.other.mlir
//                        ^^^^^^^^^^^^^^^^^^^ variable.other.property.mlir
//                                              ^ constant.numeric.integer.mlir
//                                                  ^^^ support.type.primitive.mlir
//                                                                                     ^^^^ constant.language.mlir
  func.func public @main(%arg0: tensor<8x16xf32> {tf.aliasing_output = 0 : i32, jax.buffer_donor}, %arg1: i1) -> (tensor<f32> {jax.result_info = "r"}) {
//^^^^^^^^^ support.function.operation.mlir
//          ^^^^^^ keyword.other.visibility.mlir
//                 ^^^^^ entity.name.function.symbol.mlir
//                       ^^^^^ variable.other.value.mlir
//                                                ^^^^^^^^^^^^^^^^^^ variable.other.property.mlir
//                                                                              ^^^^^^^^^^^^^^^^ variable.other.property.unit.mlir
//                                                                                                 ^^^^^ variable.other.value.mlir
//                                                                                                            ^^ keyword.operator.arrow.mlir
//                                                                                                                             ^^^^^^^^^^^^^^^ variable.other.property.mlir
//                                                                                                                                               ^^^ string.quoted.double.mlir
  func.func private @"name with \22 quotes"()
//          ^^^^^^^ keyword.other.visibility.mlir
//                  ^^^^^^^^^^^^^^^^^^^^^^^ entity.name.function.symbol.mlir
  builtin.module @m {
//^^^^^^^^^^^^^^ support.function.operation.mlir
  func @old(%x: i1)
//^^^^ keyword.other.operation.mlir
//     ^^^^ entity.name.function.symbol.mlir
  foo.op {symbol = @outer::@inner}
//                 ^^^^^^ entity.name.function.symbol.mlir
//                       ^^ punctuation.accessor.mlir
//                         ^^^^^^ entity.name.function.symbol.mlir
