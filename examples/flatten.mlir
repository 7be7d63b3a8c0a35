// The elements of a matrix with any number of rows, one after the other.
// Try: shlo refine examples/flatten.mlir 3x4xf32
func.func @main(%x: tensor<?x4xf32>) -> tensor<?xf32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %all = stablehlo.multiply %rows, %four : tensor<i32>
  %shape = stablehlo.reshape %all : (tensor<i32>) -> tensor<1xi32>
  %flat = stablehlo.dynamic_reshape %x, %shape : (tensor<?x4xf32>, tensor<1xi32>) -> tensor<?xf32>
  return %flat : tensor<?xf32>
}
