// Two replicas that exchange a number and its sum, in different order: neither ever gets what it waits for.
//   shlo run examples/deadlock.mlir --grid 2x1 1.0 --entry 'replica_{replica}'
func.func @replica_0(%x: tensor<1xf32>) -> tensor<2xf32> {
  %sum = "stablehlo.all_reduce"(%x) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<1xf32>) -> tensor<1xf32>
  %all = "stablehlo.all_gather"(%sum) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<1xf32>) -> tensor<2xf32>
  return %all : tensor<2xf32>
}
func.func @replica_1(%x: tensor<1xf32>) -> tensor<2xf32> {
  %all = "stablehlo.all_gather"(%x) {all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}
    : (tensor<1xf32>) -> tensor<2xf32>
  %sum = "stablehlo.all_reduce"(%all) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %both = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %both : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<2xf32>) -> tensor<2xf32>
  return %sum : tensor<2xf32>
}
