// SYNTAX TEST "source.mlir" "types of every dialect"

!alias = tensor<4xf32>
// <------ support.type.dialect.mlir
//     ^ keyword.operator.assignment.mlir
  x.y : i1, si8, ui64, index, none, bf16, tf32, f80, f8E4M3FN, f4E2M1FN, f6E2M3FN
//      ^^ support.type.primitive.mlir
//          ^^^ support.type.primitive.mlir
//               ^^^^ support.type.primitive.mlir
//                     ^^^^^ support.type.primitive.mlir
//                            ^^^^ support.type.primitive.mlir
//                                  ^^^^ support.type.primitive.mlir
//                                        ^^^^ support.type.primitive.mlir
//                                              ^^^ support.type.primitive.mlir
//                                                   ^^^^^^^^ support.type.primitive.mlir
//                                                             ^^^^^^^^ support.type.primitive.mlir
//                                                                       ^^^^^^^^ support.type.primitive.mlir
  x.y : tensor<4x?x8xf32>
//      ^^^^^^ support.type.shaped.mlir
//            ^ punctuation.definition.type.begin.mlir
//             ^ constant.numeric.dimension.mlir
//              ^ keyword.operator.dimension.mlir
//               ^ constant.numeric.dimension.mlir
//                ^ keyword.operator.dimension.mlir
//                 ^ constant.numeric.dimension.mlir
//                  ^ keyword.operator.dimension.mlir
//                   ^^^ support.type.primitive.mlir
//                      ^ punctuation.definition.type.end.mlir
  x.y : tensor<0xi32>, tensor<*xf32>, tensor<f32>
//             ^ constant.numeric.dimension.mlir - constant.numeric.hex.mlir
//               ^^^ support.type.primitive.mlir
//                            ^ constant.numeric.dimension.mlir
//                              ^^^ support.type.primitive.mlir
//                                           ^^^ support.type.primitive.mlir
  x.y : tensor<2xcomplex<f64>>, tuple<i1, tuple<>>
//               ^^^^^^^ support.type.builtin.mlir
//                       ^^^ support.type.primitive.mlir
//                          ^ punctuation.definition.parameters.end.mlir
//                           ^ punctuation.definition.type.end.mlir
//                              ^^^^^ support.type.builtin.mlir
//                                        ^^^^^ support.type.builtin.mlir
  x.y : tensor<?x4xf32, #stablehlo.bounds<?, 4>>
//             ^ constant.numeric.dimension.mlir
//                      ^^^^^^^^^^^^^^^^^ variable.other.constant.attribute.mlir
//                                        ^ constant.language.dynamic.mlir
//                                           ^ constant.numeric.integer.mlir
//                                            ^ punctuation.definition.parameters.end.mlir
//                                             ^ punctuation.definition.type.end.mlir
  x.y : tensor<2x!quant.uniform<i8<-128:127>:f32:0, {1.0:1, 2.0e-2:-3}>>, !stablehlo.token
//               ^^^^^^^^^^^^^^ support.type.dialect.mlir
//                              ^^ support.type.primitive.mlir
//                                 ^^^^ constant.numeric.integer.mlir
//                                      ^^^ constant.numeric.integer.mlir
//                                           ^^^ support.type.primitive.mlir
//                                                   ^^^ constant.numeric.float.mlir
//                                                          ^^^^^^ constant.numeric.float.mlir
//                                                                 ^^ constant.numeric.integer.mlir
//                                                                    ^^ meta.type.shaped.mlir
//                                                                        ^^^^^^^^^^^^^^^^ support.type.dialect.mlir - meta.type.shaped.mlir
  x.y : !stablehlo.future<tensor<f32>>, !vhlo.tensor_v1<?x!vhlo.complex_v1<!vhlo.f32_v1>>
//      ^^^^^^^^^^^^^^^^^ support.type.dialect.mlir
//                        ^^^^^^ support.type.shaped.mlir
//                                      ^^^^^^^^^^^^^^^ support.type.shaped.mlir
//                                                      ^ constant.numeric.dimension.mlir
//                                                        ^^^^^^^^^^^^^^^^ support.type.dialect.mlir
  x.y : memref<4x4xf32, strided<[4, 1], offset: ?>, 3>, vector<[4]x2xf32>
//      ^^^^^^ support.type.shaped.mlir
//                      ^^^^^^^ keyword.other.attribute.mlir
//                               ^ constant.numeric.integer.mlir
//                                      ^^^^^^ keyword.other.mlir
//                                              ^ constant.language.dynamic.mlir
//                                                  ^ constant.numeric.integer.mlir
//                                                      ^^^^^^ support.type.shaped.mlir
//                                                              ^ constant.numeric.integer.mlir
//                                                                ^ keyword.operator.dimension.mlir
//                                                                 ^ constant.numeric.dimension.mlir
//                                                                   ^^^ support.type.primitive.mlir
  x.y : (tensor<f32>, !t) -> (i1, i1)
//                    ^^ support.type.dialect.mlir
//                        ^^ keyword.operator.arrow.mlir
//                            ^^ support.type.primitive.mlir
  // A type that is not closed does not colour the next line.
  x.y : tensor<4xf32
//               ^^^ support.type.primitive.mlir
  x.y 4
//    ^ constant.numeric.integer.mlir - meta.type.shaped.mlir
