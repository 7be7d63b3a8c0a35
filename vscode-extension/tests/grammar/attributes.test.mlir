// SYNTAX TEST "source.mlir" "attributes, aliases, affine maps and sparse encodings"

#map = affine_map<(d0, d1)[s0] -> (d0 + s0, d1 floordiv 2 mod 3)>
// <---- variable.other.constant.attribute.mlir
//     ^^^^^^^^^^ keyword.other.attribute.mlir
//                 ^^ variable.parameter.affine.mlir
//                         ^^ variable.parameter.affine.mlir
//                             ^^ keyword.operator.arrow.mlir
//                                    ^ keyword.operator.arithmetic.mlir
//                                             ^^^^^^^^ keyword.operator.affine.mlir
//                                                        ^^^ keyword.operator.affine.mlir
#set = affine_set<(d0) : (d0 - 1 >= 0, d0 == 2)>
//     ^^^^^^^^^^ keyword.other.attribute.mlir
//                           ^ keyword.operator.arithmetic.mlir
//                               ^^ keyword.operator.comparison.mlir
//                                        ^^ keyword.operator.comparison.mlir
#csr = #sparse_tensor.encoding<{map = (d0, d1) -> (d0 : dense, d1 : compressed)}>
// <---- variable.other.constant.attribute.mlir
//     ^^^^^^^^^^^^^^^^^^^^^^^ variable.other.constant.attribute.mlir
//                              ^^^ variable.other.property.mlir
//                                                      ^^^^^ constant.language.level.mlir
//                                                                  ^^^^^^^^^^ constant.language.level.mlir
  x.y {a = unit, b = true, c = false, dialect.d = 1 : i64, "quoted name" = 2, e}
//     ^ variable.other.property.mlir
//         ^^^^ constant.language.mlir
//                   ^^^^ constant.language.mlir
//                             ^^^^^ constant.language.mlir
//                                    ^^^^^^^^^ variable.other.property.mlir
//                                                    ^^^ support.type.primitive.mlir
//                                                         ^^^^^^^^^^^^^ variable.other.property.mlir
//                                                                         ^ constant.numeric.integer.mlir
  x.y {a = array<i64: 1, -2>, b = array<i1>, c = [1, "s", @f, i32], d = {e = 0x1F}}
//         ^^^^^ keyword.other.attribute.mlir
//               ^^^ support.type.primitive.mlir
//                    ^ constant.numeric.integer.mlir
//                       ^^ constant.numeric.integer.mlir
//                                      ^^ support.type.primitive.mlir
//                                                   ^^^ string.quoted.double.mlir
//                                                        ^^ entity.name.function.symbol.mlir
//                                                            ^^^ support.type.primitive.mlir
//                                                                       ^ variable.other.property.mlir
//                                                                           ^^^^ constant.numeric.hex.mlir
  x.y {a = dense<"0x00FF"> : tensor<2xi8>, b = dense<true>, c = dense<(1.0, -2.0)>, d = sparse<[[0]], [1]>}
//                ^^^^^^ string.quoted.double.mlir constant.numeric.hex.mlir
//                                                   ^^^^ constant.language.mlir
//                                                                     ^^^ constant.numeric.float.mlir
//                                                                          ^^^^ constant.numeric.float.mlir
//                                                                                      ^^^^^^ keyword.other.attribute.mlir
  x.y {a = dense_resource<blob_1> : tensor<2xf32>, b = distinct[0]<unit>}
//         ^^^^^^^^^^^^^^ keyword.other.attribute.mlir
//                        ^^^^^^ string.unquoted.resource.mlir
//                                                     ^^^^^^^^ keyword.other.attribute.mlir
  x.y {a = "tab \t quote \" byte \FF wrong \q end"}
//              ^^ constant.character.escape.mlir
//                       ^^ constant.character.escape.mlir
//                               ^^^ constant.character.escape.mlir
//                                         ^^ invalid.illegal.escape.mlir
//                                            ^^^^ string.quoted.double.mlir
  x.y {a = 0x7FC00000 : f32, b = -1.5E+10, c = +2., d = 10 : index}
//         ^^^^^^^^^^ constant.numeric.hex.mlir
//                               ^^^^^^^^ constant.numeric.float.mlir
//                                             ^^^ constant.numeric.float.mlir
//                                                      ^^ constant.numeric.integer.mlir
  x.y {a = #stablehlo<precision HIGHEST>, b = #stablehlo.channel_handle<handle = 1, type = 0>, c = #vhlo.type_v1<!vhlo.i1_v1>}
//         ^^^^^^^^^^ variable.other.constant.attribute.mlir
//                    ^^^^^^^^^ keyword.other.attribute.mlir
//                              ^^^^^^^ variable.other.enummember.mlir
//                                            ^^^^^^^^^^^^^^^^^^^^^^^^^ variable.other.constant.attribute.mlir
//                                                                      ^^^^^^ variable.other.property.mlir
//                                                                                                 ^^^^^^^^^^^^^ variable.other.constant.attribute.mlir
//                                                                                                               ^^^^^^^^^^^ support.type.dialect.mlir
  x.y {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y":(2)4, ?}p1], replicated={"z"}>}
//     ^^^^^^^^^^^^ variable.other.property.mlir
//                    ^^^^^^^^^^^^^ variable.other.constant.attribute.mlir
//                                  ^^^^^ entity.name.function.symbol.mlir
//                                           ^^^ string.quoted.double.mlir
//                                                            ^ constant.language.dynamic.mlir
//                                                              ^^ constant.numeric.priority.mlir
//                                                                   ^^^^^^^^^^ variable.other.property.mlir
  x.y {rule = #sdy.op_sharding_rule<([k, jz])->([k]) {k=8, jz=4}, custom>}
//                                    ^ constant.language.dimension.mlir
//                                       ^^ constant.language.dimension.mlir
//                                           ^^ keyword.operator.arrow.mlir
//                                               ^ constant.language.dimension.mlir
//                                                    ^ variable.other.property.mlir
//                                                                ^^^^^^ constant.language.mlir
  x.y <{unique_indices = true, use_global_device_ids}>
//      ^^^^^^^^^^^^^^ variable.other.property.mlir
//                             ^^^^^^^^^^^^^^^^^^^^^ variable.other.property.unit.mlir
{-#
// <--- punctuation.section.resources.mlir
  dialect_resources: { builtin: { blob_1: "0x08000000" } }
//^^^^^^^^^^^^^^^^^ variable.other.property.mlir
//                                ^^^^^^ variable.other.property.mlir
//                                         ^^^^^^^^^^ constant.numeric.hex.mlir
#-}
// <--- punctuation.section.resources.mlir
