func.func @partition_id_spec_example() {
  %result = stablehlo.partition_id : tensor<ui32>
  check.expect_eq_const %result, dense<0> : tensor<ui32>
  func.return
}

func.func private @its_partition_id() -> tensor<ui32> {
  %result = stablehlo.partition_id : tensor<ui32>
  func.return %result : tensor<ui32>
}

func.func @partition_id_in_a_grid() {
  %results:4 = "interpreter.run_parallel"() {
    programs = [[@its_partition_id, @its_partition_id], [@its_partition_id, @its_partition_id]]
  } : () -> (tensor<ui32>, tensor<ui32>, tensor<ui32>, tensor<ui32>)
  check.expect_eq_const %results#0, dense<0> : tensor<ui32>
  check.expect_eq_const %results#1, dense<1> : tensor<ui32>
  check.expect_eq_const %results#2, dense<0> : tensor<ui32>
  check.expect_eq_const %results#3, dense<1> : tensor<ui32>
  func.return
}
