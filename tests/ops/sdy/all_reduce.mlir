sdy.mesh @mesh = <["x"=1, "y"=1]>

func.func @collectives_change_no_value_of_the_whole_tensor() {
  %0 = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} dense<[[1, 2]]> : tensor<1x2xi64>
  %1 = sdy.all_to_all [{"x"}: 0->1] %0 out_sharding=<@mesh, [{}, {"x"}]> : tensor<1x2xi64>
  %2 = sdy.collective_permute %1 out_sharding=<@mesh, [{}, {"y"}]> : tensor<1x2xi64>
  %3 = sdy.all_gather [{}, {"y"}] %2 out_sharding=<@mesh, [{}, {}]> : tensor<1x2xi64>
  %4 = sdy.all_slice [{"x"}, {}] %3 out_sharding=<@mesh, [{"x"}, {}]> : tensor<1x2xi64>
  %5 = sdy.sharded_to_unreduced [{"x"}, {}] %4 out_sharding=<@mesh, [{}, {}], unreduced={"x"}> : tensor<1x2xi64>
  %6 = sdy.replicated_to_unreduced {"y"} %5 out_sharding=<@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<1x2xi64>
  %7 = sdy.reduce_scatter [{"x"}, {}] %6 out_sharding=<@mesh, [{"x"}, {}], unreduced={"y"}> : tensor<1x2xi64>
  %8 = sdy.all_reduce {"y"} %7 out_sharding=<@mesh, [{"x"}, {}]> : tensor<1x2xi64>
  check.expect_eq_const %8, dense<[[1, 2]]> : tensor<1x2xi64>
  func.return
}
