// SYNTAX TEST "source.mlir" "texts that are not finished"

  %x = stablehlo.constant dense<"0xFF
//                               ^^^^ string.quoted.double.mlir
  %y = stablehlo.add %x : tensor<4x
//^^ variable.other.value.mlir - string.quoted.double.mlir
//     ^^^^^^^^^^^^^ support.function.operation.mlir
  %z = stablehlo.sub
//^^ variable.other.value.mlir - meta.type.shaped.mlir
//     ^^^^^^^^^^^^^ support.function.operation.mlir
  } } ) ] >
//^ punctuation.section.braces.mlir
//        ^ punctuation.definition.parameters.mlir
  func.func @f(
//^^^^^^^^^ support.function.operation.mlir
//          ^^ entity.name.function.symbol.mlir
