// A program with two mistakes, which `shlo check` finds.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %twice = stablehlo.add %x, %y : tensor<4xf32>
  %root = stablehlo.sqrt %twice tensor<4xf32>
  return %root : tensor<4xf32>
}
