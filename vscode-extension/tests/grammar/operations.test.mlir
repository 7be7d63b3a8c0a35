// SYNTAX TEST "source.mlir" "operations, pretty and generic"

  %sum = stablehlo.add %x, %1 : tensor<4xf32>
//^^^^ variable.other.value.mlir
//     ^ keyword.operator.assignment.mlir
//       ^^^^^^^^^^^^^ support.function.operation.mlir
//                     ^^ variable.other.value.mlir
//                         ^^ variable.other.value.mlir
  %r:2 = "stablehlo.while"(%a#1, %b) : (i1, i1) -> i1
//^^ variable.other.value.mlir
//   ^ variable.other.value.mlir constant.numeric.result.mlir
//       ^ punctuation.definition.operation.mlir
//        ^^^^^^^^^^^^^^^ support.function.operation.generic.mlir
//                       ^ punctuation.definition.operation.mlir
//                         ^^ variable.other.value.mlir
//                            ^ variable.other.value.mlir constant.numeric.result.mlir
//                                              ^^ keyword.operator.arrow.mlir
  "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<0> : tensor<1x1xi64>}> : () -> ()
// ^^^^^^^^^^^^^^^^^^^^^^^^^^^ support.function.operation.generic.mlir
//                                  ^ punctuation.definition.parameters.mlir
//                                   ^ punctuation.section.braces.mlir
//                                    ^^^^^^^^^^^^^^ variable.other.property.mlir
  "module"() ({
// ^^^^^^ support.function.operation.generic.mlir
^bb0(%a: tensor<f32>, %b: tensor<f32>):
// <---- entity.name.label.mlir
//   ^^ variable.other.value.mlir
  cf.br ^bb1(%a : tensor<f32>)
//^^^^^ support.function.operation.mlir
//      ^^^^ entity.name.label.mlir
  }) : () -> ()
//^ punctuation.section.braces.mlir
// ^ punctuation.section.parens.mlir
  return %a, %b : f32, f32
//^^^^^^ keyword.other.operation.mlir
//       ^^ variable.other.value.mlir
  %0 = call @f(%a) : (i1) -> i1
//     ^^^^ keyword.other.operation.mlir
//          ^^ entity.name.function.symbol.mlir
  %4 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (f32) -> f32
//     ^^^^^^^^^^^^^^^^ support.function.operation.mlir
//                         ^^^^ keyword.other.mlir
//                                   ^^^^^^^ keyword.other.mlir
//                                           ^^^^^^^^^^^^^ support.function.operation.mlir
//                                                         ^^^^^^ keyword.other.mlir
//                                                                ^^^^^^^^^^ variable.other.property.mlir
   reducer(%a: f32, %b: f32) {
// ^^^^^^^ keyword.other.region.mlir
    cond {
//  ^^^^ keyword.other.region.mlir
    } do {
//    ^^ keyword.other.region.mlir
  %5 = stablehlo.compare LT, %a, %b, TOTALORDER : (f32, f32) -> i1
//                       ^^ variable.other.enummember.mlir
//                                   ^^^^^^^^^^ variable.other.enummember.mlir
  %6 = stablehlo.slice %x [0:2, 1:8:2] : (i1) -> i1
//                        ^ punctuation.section.brackets.mlir
//                         ^ constant.numeric.integer.mlir
//                          ^ punctuation.separator.colon.mlir
//                           ^ constant.numeric.integer.mlir
  %7 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, HIGHEST]
//                                   ^^^^^^^^^^^^^ variable.other.property.mlir
//                                                       ^ keyword.other.mlir
//                                                              ^^^^^^^^^^^^^^^^ variable.other.property.mlir
//                                                                                                         ^^^^^^^ variable.other.enummember.mlir
  %8 = stablehlo.convolution(%x, %y) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]}
//                                   ^^^^^^^^^^^ variable.other.property.mlir
//                                                  ^ constant.language.dimension.mlir
//                                                     ^ constant.numeric.integer.mlir
//                                                           ^ constant.language.dimension.mlir
//                                                             ^ keyword.other.mlir
//                                                                     ^ constant.language.dimension.mlir
//                                                                          ^^ keyword.operator.arrow.mlir
//                                                                                                    ^^^^^^ variable.other.property.mlir
  %9 = stablehlo.reduce_precision %x, format = e5m10 : f32
//                                    ^^^^^^ variable.other.property.mlir
//                                             ^^^^^ constant.numeric.format.mlir
  %10 = stablehlo.composite "my.op" %x {decomposition = @impl} : (i1) -> i1
//                          ^^^^^^^ string.quoted.double.mlir
//                                      ^^^^^^^^^^^^^ variable.other.property.mlir
//                                                      ^^^^^ entity.name.function.symbol.mlir
  %11 = stablehlo.constant dense<[[1, -2], [3.5, 1.0e-3]]> : tensor<2x2xf32>
//                         ^^^^^ keyword.other.attribute.mlir
//                                 ^ constant.numeric.integer.mlir
//                                    ^^ constant.numeric.integer.mlir
//                                          ^^^ constant.numeric.float.mlir
//                                               ^^^^^^ constant.numeric.float.mlir
  sdy.mesh @mesh = <["x"=2, "y"=4]>
//^^^^^^^^ support.function.operation.mlir
//         ^^^^^ entity.name.function.symbol.mlir
//                   ^^^ variable.other.property.mlir
//                       ^ constant.numeric.integer.mlir
  vhlo.return_v1 %x : !vhlo.tensor_v1<4x!vhlo.f32_v1>
//^^^^^^^^^^^^^^ support.function.operation.mlir
//                    ^^^^^^^^^^^^^^^ support.type.shaped.mlir
//                                    ^ constant.numeric.dimension.mlir
//                                     ^ keyword.operator.dimension.mlir
//                                      ^^^^^^^^^^^^ support.type.dialect.mlir
//                                                  ^ punctuation.definition.type.end.mlir
