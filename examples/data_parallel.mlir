module @jit_train attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
  sdy.mesh @mesh = <["batch"=4]> {stablehlo.mesh = {axes = [{name = "batch", size = 4 : i64}]}}
  func.func public @main(%arg0: tensor<6xf32>, %arg1: tensor<32x6xf32>, %arg2: tensor<32xf32>) -> (tensor<6xf32> {jax.result_info = "result"}) {
    %0 = sdy.manual_computation(%arg0, %arg1, %arg2) in_shardings=[<@mesh, [{}]>, <@mesh, [{"batch"}, {}]>, <@mesh, [{"batch"}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"batch"} (%arg3: tensor<6xf32>, %arg4: tensor<8x6xf32>, %arg5: tensor<8xf32>) {
      %c = stablehlo.constant dense<0> : tensor<i32>
      %1:4 = stablehlo.while(%iterArg = %arg4, %iterArg_0 = %arg5, %iterArg_1 = %c, %iterArg_2 = %arg3) : tensor<8x6xf32>, tensor<8xf32>, tensor<i32>, tensor<6xf32>
      cond {
        %c_3 = stablehlo.constant dense<30> : tensor<i32>
        %2 = stablehlo.compare LT, %iterArg_1, %c_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
        stablehlo.return %2 : tensor<i1>
      } do {
        %2 = func.call @closed_call(%iterArg, %iterArg_0, %iterArg_2) : (tensor<8x6xf32>, tensor<8xf32>, tensor<6xf32>) -> tensor<6xf32>
        %c_3 = stablehlo.constant dense<1> : tensor<i32>
        %3 = stablehlo.add %iterArg_1, %c_3 : tensor<i32>
        stablehlo.return %iterArg, %iterArg_0, %3, %2 : tensor<8x6xf32>, tensor<8xf32>, tensor<i32>, tensor<6xf32>
      }
      sdy.return %1#3 : tensor<6xf32>
    } : (tensor<6xf32>, tensor<32x6xf32>, tensor<32xf32>) -> tensor<6xf32>
    return %0 : tensor<6xf32>
  }
  func.func private @closed_call(%arg0: tensor<8x6xf32>, %arg1: tensor<8xf32>, %arg2: tensor<6xf32>) -> tensor<6xf32> {
    %0 = stablehlo.dot_general %arg0, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8x6xf32>, tensor<6xf32>) -> tensor<8xf32>
    %1 = stablehlo.subtract %0, %arg1 : tensor<8xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %3 = stablehlo.multiply %2, %1 : tensor<8xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<8.000000e+00> : tensor<f32>
    %4 = stablehlo.divide %cst_0, %cst_1 : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %6 = stablehlo.multiply %5, %3 : tensor<8xf32>
    %7 = stablehlo.dot_general %6, %arg0, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<8xf32>, tensor<8x6xf32>) -> tensor<6xf32>
    %8 = "stablehlo.all_reduce"(%7) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %14 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %14 : tensor<f32>
    }) : (tensor<6xf32>) -> tensor<6xf32>
    %cst_2 = stablehlo.constant dense<4.000000e+00> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %10 = stablehlo.divide %8, %9 : tensor<6xf32>
    %cst_3 = stablehlo.constant dense<1.250000e-01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %12 = stablehlo.multiply %11, %10 : tensor<6xf32>
    %13 = stablehlo.subtract %arg2, %12 : tensor<6xf32>
    return %13 : tensor<6xf32>
  }
}
