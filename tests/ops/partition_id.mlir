func.func @partition_id_of_a_single_process() {
  %result = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %result, dense<0> : tensor<ui32>
  func.return
}
