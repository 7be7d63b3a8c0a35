module @jit_loss_and_gradient attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<30x32xf32>, %arg1: tensor<32x96xf32>, %arg2: tensor<32x32xf32>, %arg3: tensor<32x128xf32>, %arg4: tensor<128x32xf32>, %arg5: tensor<32x96xf32>, %arg6: tensor<32x32xf32>, %arg7: tensor<32x128xf32>, %arg8: tensor<128x32xf32>, %arg9: tensor<48x32xf32>, %arg10: tensor<49xi32>) -> (tensor<f32> {jax.result_info = "result[0]"}, tensor<30x32xf32> {jax.result_info = "result[1]['embedding']"}, tensor<32x96xf32> {jax.result_info = "result[1]['layers'][0]['attention_in']"}, tensor<32x32xf32> {jax.result_info = "result[1]['layers'][0]['attention_out']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][0]['hidden']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][0]['out']"}, tensor<32x96xf32> {jax.result_info = "result[1]['layers'][1]['attention_in']"}, tensor<32x32xf32> {jax.result_info = "result[1]['layers'][1]['attention_out']"}, tensor<32x128xf32> {jax.result_info = "result[1]['layers'][1]['hidden']"}, tensor<128x32xf32> {jax.result_info = "result[1]['layers'][1]['out']"}, tensor<48x32xf32> {jax.result_info = "result[1]['position']"}) {
    %0 = stablehlo.slice %arg10 [0:48] : (tensor<49xi32>) -> tensor<48xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48xi32>
    %2 = stablehlo.compare LT, %0, %1, SIGNED : (tensor<48xi32>, tensor<48xi32>) -> tensor<48xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<48xi32>
    %4 = stablehlo.add %0, %3 : tensor<48xi32>
    %5 = stablehlo.select %2, %4, %0 : tensor<48xi1>, tensor<48xi32>
    %6 = stablehlo.broadcast_in_dim %5, dims = [0] : (tensor<48xi32>) -> tensor<48x1xi32>
    %7 = "stablehlo.gather"(%arg0, %6) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<30x32xf32>, tensor<48x1xi32>) -> tensor<48x32xf32>
    %8 = stablehlo.add %7, %arg9 : tensor<48x32xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %12 = stablehlo.divide %10, %11 : tensor<48x1xf32>
    %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %14 = stablehlo.subtract %8, %13 : tensor<48x32xf32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %15:4 = call @_var(%8, %c_2) : (tensor<48x32xf32>, tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>)
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %16 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %17 = stablehlo.add %15#0, %16 : tensor<48x1xf32>
    %18 = stablehlo.rsqrt %17 : tensor<48x1xf32>
    %19 = stablehlo.divide %18, %17 : tensor<48x1xf32>
    %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %20 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %21 = stablehlo.multiply %20, %19 : tensor<48x1xf32>
    %22 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %23 = stablehlo.multiply %14, %22 : tensor<48x32xf32>
    %24 = stablehlo.dot_general %23, %arg1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x96xf32>) -> tensor<48x96xf32>
    %25 = stablehlo.reshape %24 : (tensor<48x96xf32>) -> tensor<48x4x24xf32>
    %26 = stablehlo.slice %25 [0:48, 0:4, 0:8] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %27 = stablehlo.slice %25 [0:48, 0:4, 8:16] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %28 = stablehlo.slice %25 [0:48, 0:4, 16:24] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %29 = stablehlo.dot_general %26, %27, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<48x4x8xf32>, tensor<48x4x8xf32>) -> tensor<4x48x48xf32>
    %cst_5 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %30 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %31 = stablehlo.divide %29, %30 : tensor<4x48x48xf32>
    %c_6 = stablehlo.constant dense<true> : tensor<i1>
    %32 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %33 = call @tril(%32) : (tensor<48x48xi1>) -> tensor<48x48xi1>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34:2 = call @_where_0(%33, %31, %cst_7) : (tensor<48x48xi1>, tensor<4x48x48xf32>, tensor<f32>) -> (tensor<4x48x48xf32>, tensor<4x48x48xi1>)
    %cst_8 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.reduce(%34#0 init: %cst_8) applies stablehlo.maximum across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %cst_9 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %36 = stablehlo.broadcast_in_dim %cst_9, dims = [] : (tensor<f32>) -> tensor<4x48xf32>
    %37 = stablehlo.maximum %36, %35 : tensor<4x48xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %39 = stablehlo.broadcast_in_dim %38, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %40 = stablehlo.subtract %34#0, %39 : tensor<4x48x48xf32>
    %41 = stablehlo.exponential %40 : tensor<4x48x48xf32>
    %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %42 = stablehlo.reduce(%41 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %44 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %45 = stablehlo.divide %41, %44 : tensor<4x48x48xf32>
    %46 = stablehlo.multiply %43, %43 : tensor<4x48x1xf32>
    %cst_11 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %47 = stablehlo.broadcast_in_dim %cst_11, dims = [] : (tensor<f32>) -> tensor<4x48x1xf32>
    %48 = stablehlo.divide %47, %46 : tensor<4x48x1xf32>
    %49 = stablehlo.dot_general %28, %45, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<48x4x8xf32>, tensor<4x48x48xf32>) -> tensor<4x8x48xf32>
    %50 = stablehlo.transpose %49, dims = [2, 0, 1] : (tensor<4x8x48xf32>) -> tensor<48x4x8xf32>
    %51 = stablehlo.reshape %50 : (tensor<48x4x8xf32>) -> tensor<48x32xf32>
    %52 = stablehlo.dot_general %51, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x32xf32>) -> tensor<48x32xf32>
    %53 = stablehlo.add %8, %52 : tensor<48x32xf32>
    %cst_12 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.reduce(%53 init: %cst_12) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_13 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %56 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %57 = stablehlo.divide %55, %56 : tensor<48x1xf32>
    %58 = stablehlo.broadcast_in_dim %57, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %59 = stablehlo.subtract %53, %58 : tensor<48x32xf32>
    %c_14 = stablehlo.constant dense<0> : tensor<i32>
    %60:4 = call @_var(%53, %c_14) : (tensor<48x32xf32>, tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>)
    %cst_15 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %61 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %62 = stablehlo.add %60#0, %61 : tensor<48x1xf32>
    %63 = stablehlo.rsqrt %62 : tensor<48x1xf32>
    %64 = stablehlo.divide %63, %62 : tensor<48x1xf32>
    %cst_16 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %65 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %66 = stablehlo.multiply %65, %64 : tensor<48x1xf32>
    %67 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %68 = stablehlo.multiply %59, %67 : tensor<48x32xf32>
    %69 = stablehlo.dot_general %68, %arg3, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x128xf32>) -> tensor<48x128xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %70 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %71 = stablehlo.multiply %70, %69 : tensor<48x128xf32>
    %72 = stablehlo.negate %69 : tensor<48x128xf32>
    %cst_18 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %73 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %74 = stablehlo.multiply %72, %73 : tensor<48x128xf32>
    %75 = chlo.erfc %74 : tensor<48x128xf32> -> tensor<48x128xf32>
    %76 = chlo.square %74 : tensor<48x128xf32> -> tensor<48x128xf32>
    %77 = stablehlo.negate %76 : tensor<48x128xf32>
    %78 = stablehlo.exponential %77 : tensor<48x128xf32>
    %79 = stablehlo.multiply %71, %75 : tensor<48x128xf32>
    %80 = stablehlo.dot_general %79, %arg4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<128x32xf32>) -> tensor<48x32xf32>
    %81 = stablehlo.add %53, %80 : tensor<48x32xf32>
    %cst_19 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %82 = stablehlo.reduce(%81 init: %cst_19) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %83 = stablehlo.broadcast_in_dim %82, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_20 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %85 = stablehlo.divide %83, %84 : tensor<48x1xf32>
    %86 = stablehlo.broadcast_in_dim %85, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %87 = stablehlo.subtract %81, %86 : tensor<48x32xf32>
    %c_21 = stablehlo.constant dense<0> : tensor<i32>
    %88:4 = call @_var(%81, %c_21) : (tensor<48x32xf32>, tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>)
    %cst_22 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %89 = stablehlo.broadcast_in_dim %cst_22, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %90 = stablehlo.add %88#0, %89 : tensor<48x1xf32>
    %91 = stablehlo.rsqrt %90 : tensor<48x1xf32>
    %92 = stablehlo.divide %91, %90 : tensor<48x1xf32>
    %cst_23 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %93 = stablehlo.broadcast_in_dim %cst_23, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %94 = stablehlo.multiply %93, %92 : tensor<48x1xf32>
    %95 = stablehlo.broadcast_in_dim %91, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %96 = stablehlo.multiply %87, %95 : tensor<48x32xf32>
    %97 = stablehlo.dot_general %96, %arg5, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x96xf32>) -> tensor<48x96xf32>
    %98 = stablehlo.reshape %97 : (tensor<48x96xf32>) -> tensor<48x4x24xf32>
    %99 = stablehlo.slice %98 [0:48, 0:4, 0:8] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %100 = stablehlo.slice %98 [0:48, 0:4, 8:16] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %101 = stablehlo.slice %98 [0:48, 0:4, 16:24] : (tensor<48x4x24xf32>) -> tensor<48x4x8xf32>
    %102 = stablehlo.dot_general %99, %100, batching_dims = [1] x [1], contracting_dims = [2] x [2], precision = [DEFAULT, DEFAULT] : (tensor<48x4x8xf32>, tensor<48x4x8xf32>) -> tensor<4x48x48xf32>
    %cst_24 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %103 = stablehlo.broadcast_in_dim %cst_24, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %104 = stablehlo.divide %102, %103 : tensor<4x48x48xf32>
    %c_25 = stablehlo.constant dense<true> : tensor<i1>
    %105 = stablehlo.broadcast_in_dim %c_25, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %106 = call @tril(%105) : (tensor<48x48xi1>) -> tensor<48x48xi1>
    %cst_26 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %107:2 = call @_where_0(%106, %104, %cst_26) : (tensor<48x48xi1>, tensor<4x48x48xf32>, tensor<f32>) -> (tensor<4x48x48xf32>, tensor<4x48x48xi1>)
    %cst_27 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %108 = stablehlo.reduce(%107#0 init: %cst_27) applies stablehlo.maximum across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %cst_28 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %109 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<4x48xf32>
    %110 = stablehlo.maximum %109, %108 : tensor<4x48xf32>
    %111 = stablehlo.broadcast_in_dim %110, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %112 = stablehlo.broadcast_in_dim %111, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %113 = stablehlo.subtract %107#0, %112 : tensor<4x48x48xf32>
    %114 = stablehlo.exponential %113 : tensor<4x48x48xf32>
    %cst_29 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %115 = stablehlo.reduce(%114 init: %cst_29) applies stablehlo.add across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %116 = stablehlo.broadcast_in_dim %115, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %117 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %118 = stablehlo.divide %114, %117 : tensor<4x48x48xf32>
    %119 = stablehlo.multiply %116, %116 : tensor<4x48x1xf32>
    %cst_30 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %120 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<4x48x1xf32>
    %121 = stablehlo.divide %120, %119 : tensor<4x48x1xf32>
    %122 = stablehlo.dot_general %101, %118, batching_dims = [1] x [0], contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<48x4x8xf32>, tensor<4x48x48xf32>) -> tensor<4x8x48xf32>
    %123 = stablehlo.transpose %122, dims = [2, 0, 1] : (tensor<4x8x48xf32>) -> tensor<48x4x8xf32>
    %124 = stablehlo.reshape %123 : (tensor<48x4x8xf32>) -> tensor<48x32xf32>
    %125 = stablehlo.dot_general %124, %arg6, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x32xf32>) -> tensor<48x32xf32>
    %126 = stablehlo.add %81, %125 : tensor<48x32xf32>
    %cst_31 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %127 = stablehlo.reduce(%126 init: %cst_31) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %128 = stablehlo.broadcast_in_dim %127, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_32 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %129 = stablehlo.broadcast_in_dim %cst_32, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %130 = stablehlo.divide %128, %129 : tensor<48x1xf32>
    %131 = stablehlo.broadcast_in_dim %130, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %132 = stablehlo.subtract %126, %131 : tensor<48x32xf32>
    %c_33 = stablehlo.constant dense<0> : tensor<i32>
    %133:4 = call @_var(%126, %c_33) : (tensor<48x32xf32>, tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>)
    %cst_34 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %134 = stablehlo.broadcast_in_dim %cst_34, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %135 = stablehlo.add %133#0, %134 : tensor<48x1xf32>
    %136 = stablehlo.rsqrt %135 : tensor<48x1xf32>
    %137 = stablehlo.divide %136, %135 : tensor<48x1xf32>
    %cst_35 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %138 = stablehlo.broadcast_in_dim %cst_35, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %139 = stablehlo.multiply %138, %137 : tensor<48x1xf32>
    %140 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %141 = stablehlo.multiply %132, %140 : tensor<48x32xf32>
    %142 = stablehlo.dot_general %141, %arg7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x128xf32>) -> tensor<48x128xf32>
    %cst_36 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %143 = stablehlo.broadcast_in_dim %cst_36, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %144 = stablehlo.multiply %143, %142 : tensor<48x128xf32>
    %145 = stablehlo.negate %142 : tensor<48x128xf32>
    %cst_37 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %146 = stablehlo.broadcast_in_dim %cst_37, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %147 = stablehlo.multiply %145, %146 : tensor<48x128xf32>
    %148 = chlo.erfc %147 : tensor<48x128xf32> -> tensor<48x128xf32>
    %149 = chlo.square %147 : tensor<48x128xf32> -> tensor<48x128xf32>
    %150 = stablehlo.negate %149 : tensor<48x128xf32>
    %151 = stablehlo.exponential %150 : tensor<48x128xf32>
    %152 = stablehlo.multiply %144, %148 : tensor<48x128xf32>
    %153 = stablehlo.dot_general %152, %arg8, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<128x32xf32>) -> tensor<48x32xf32>
    %154 = stablehlo.add %126, %153 : tensor<48x32xf32>
    %cst_38 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %155 = stablehlo.reduce(%154 init: %cst_38) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %156 = stablehlo.broadcast_in_dim %155, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_39 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %157 = stablehlo.broadcast_in_dim %cst_39, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %158 = stablehlo.divide %156, %157 : tensor<48x1xf32>
    %159 = stablehlo.broadcast_in_dim %158, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %160 = stablehlo.subtract %154, %159 : tensor<48x32xf32>
    %c_40 = stablehlo.constant dense<0> : tensor<i32>
    %161:4 = call @_var(%154, %c_40) : (tensor<48x32xf32>, tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>)
    %cst_41 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %162 = stablehlo.broadcast_in_dim %cst_41, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %163 = stablehlo.add %161#0, %162 : tensor<48x1xf32>
    %164 = stablehlo.rsqrt %163 : tensor<48x1xf32>
    %165 = stablehlo.divide %164, %163 : tensor<48x1xf32>
    %cst_42 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
    %166 = stablehlo.broadcast_in_dim %cst_42, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %167 = stablehlo.multiply %166, %165 : tensor<48x1xf32>
    %168 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %169 = stablehlo.multiply %160, %168 : tensor<48x32xf32>
    %170 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<30x32xf32>) -> tensor<32x30xf32>
    %171 = stablehlo.dot_general %169, %170, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x30xf32>) -> tensor<48x30xf32>
    %172:3 = call @log_softmax(%171) : (tensor<48x30xf32>) -> (tensor<48x30xf32>, tensor<48x30xf32>, tensor<48x1xf32>)
    %173 = stablehlo.slice %arg10 [1:49] : (tensor<49xi32>) -> tensor<48xi32>
    %174 = stablehlo.broadcast_in_dim %173, dims = [0] : (tensor<48xi32>) -> tensor<48x1xi32>
    %175:2 = call @take_along_axis(%172#0, %174) : (tensor<48x30xf32>, tensor<48x1xi32>) -> (tensor<48x1xf32>, tensor<48x1x1xi32>)
    %cst_43 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %176 = stablehlo.reduce(%175#0 init: %cst_43) applies stablehlo.add across dimensions = [0, 1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<f32>
    %cst_44 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %177 = stablehlo.divide %176, %cst_44 : tensor<f32>
    %178 = stablehlo.negate %177 : tensor<f32>
    %cst_45 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %179 = stablehlo.negate %cst_45 : tensor<f32>
    %cst_46 = stablehlo.constant dense<4.800000e+01> : tensor<f32>
    %180 = stablehlo.divide %179, %cst_46 : tensor<f32>
    %181 = stablehlo.broadcast_in_dim %180, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %182 = call @take_along_axis_1(%175#1, %181) : (tensor<48x1x1xi32>, tensor<48x1xf32>) -> tensor<48x30xf32>
    %183 = call @log_softmax_2(%172#1, %172#2, %182) : (tensor<48x30xf32>, tensor<48x1xf32>, tensor<48x30xf32>) -> tensor<48x30xf32>
    %184 = stablehlo.dot_general %183, %169, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x30xf32>, tensor<48x32xf32>) -> tensor<30x32xf32>
    %185 = stablehlo.transpose %184, dims = [1, 0] : (tensor<30x32xf32>) -> tensor<32x30xf32>
    %186 = stablehlo.dot_general %183, %170, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x30xf32>, tensor<32x30xf32>) -> tensor<48x32xf32>
    %187 = stablehlo.transpose %185, dims = [1, 0] : (tensor<32x30xf32>) -> tensor<30x32xf32>
    %188 = stablehlo.multiply %160, %186 : tensor<48x32xf32>
    %cst_47 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %189 = stablehlo.reduce(%188 init: %cst_47) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %190 = stablehlo.reshape %189 : (tensor<48xf32>) -> tensor<48x1xf32>
    %191 = stablehlo.broadcast_in_dim %164, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %192 = stablehlo.multiply %186, %191 : tensor<48x32xf32>
    %193 = stablehlo.multiply %190, %167 : tensor<48x1xf32>
    %194 = call @_var_3(%161#1, %161#2, %161#3, %193) : (tensor<48x32xf32>, tensor<f32>, tensor<i1>, tensor<48x1xf32>) -> tensor<48x32xf32>
    %195 = stablehlo.negate %192 : tensor<48x32xf32>
    %cst_48 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %196 = stablehlo.reduce(%195 init: %cst_48) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %197 = stablehlo.reshape %196 : (tensor<48xf32>) -> tensor<48x1xf32>
    %198 = stablehlo.add %194, %192 : tensor<48x32xf32>
    %cst_49 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %199 = stablehlo.broadcast_in_dim %cst_49, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %200 = stablehlo.divide %197, %199 : tensor<48x1xf32>
    %cst_50 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %201 = stablehlo.reduce(%200 init: %cst_50) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %202 = stablehlo.broadcast_in_dim %201, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %203 = stablehlo.add %198, %202 : tensor<48x32xf32>
    %204 = stablehlo.dot_general %203, %152, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<48x128xf32>) -> tensor<32x128xf32>
    %205 = stablehlo.transpose %204, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %206 = stablehlo.dot_general %203, %arg8, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<128x32xf32>) -> tensor<48x128xf32>
    %207 = stablehlo.multiply %144, %206 : tensor<48x128xf32>
    %208 = stablehlo.multiply %206, %148 : tensor<48x128xf32>
    %cst_51 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %209 = stablehlo.broadcast_in_dim %cst_51, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %210 = stablehlo.multiply %209, %207 : tensor<48x128xf32>
    %211 = stablehlo.multiply %210, %151 : tensor<48x128xf32>
    %cst_52 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %212 = stablehlo.broadcast_in_dim %cst_52, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %213 = stablehlo.multiply %211, %212 : tensor<48x128xf32>
    %214 = stablehlo.negate %213 : tensor<48x128xf32>
    %cst_53 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %215 = stablehlo.broadcast_in_dim %cst_53, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %216 = stablehlo.multiply %215, %208 : tensor<48x128xf32>
    %217 = stablehlo.add %214, %216 : tensor<48x128xf32>
    %218 = stablehlo.dot_general %217, %141, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<48x32xf32>) -> tensor<128x32xf32>
    %219 = stablehlo.transpose %218, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %220 = stablehlo.dot_general %217, %arg7, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<32x128xf32>) -> tensor<48x32xf32>
    %221 = stablehlo.multiply %132, %220 : tensor<48x32xf32>
    %cst_54 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %222 = stablehlo.reduce(%221 init: %cst_54) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %223 = stablehlo.reshape %222 : (tensor<48xf32>) -> tensor<48x1xf32>
    %224 = stablehlo.broadcast_in_dim %136, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %225 = stablehlo.multiply %220, %224 : tensor<48x32xf32>
    %226 = stablehlo.multiply %223, %139 : tensor<48x1xf32>
    %227 = call @_var_3(%133#1, %133#2, %133#3, %226) : (tensor<48x32xf32>, tensor<f32>, tensor<i1>, tensor<48x1xf32>) -> tensor<48x32xf32>
    %228 = stablehlo.add %203, %227 : tensor<48x32xf32>
    %229 = stablehlo.negate %225 : tensor<48x32xf32>
    %cst_55 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %230 = stablehlo.reduce(%229 init: %cst_55) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %231 = stablehlo.reshape %230 : (tensor<48xf32>) -> tensor<48x1xf32>
    %232 = stablehlo.add %228, %225 : tensor<48x32xf32>
    %cst_56 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %233 = stablehlo.broadcast_in_dim %cst_56, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %234 = stablehlo.divide %231, %233 : tensor<48x1xf32>
    %cst_57 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %235 = stablehlo.reduce(%234 init: %cst_57) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %236 = stablehlo.broadcast_in_dim %235, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %237 = stablehlo.add %232, %236 : tensor<48x32xf32>
    %238 = stablehlo.dot_general %237, %124, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<48x32xf32>) -> tensor<32x32xf32>
    %239 = stablehlo.transpose %238, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %240 = stablehlo.dot_general %237, %arg6, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x32xf32>) -> tensor<48x32xf32>
    %241 = stablehlo.reshape %240 : (tensor<48x32xf32>) -> tensor<48x4x8xf32>
    %242 = stablehlo.transpose %241, dims = [1, 2, 0] : (tensor<48x4x8xf32>) -> tensor<4x8x48xf32>
    %243 = stablehlo.dot_general %242, %101, batching_dims = [0] x [1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x48xf32>
    %244 = stablehlo.dot_general %242, %118, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x48xf32>, tensor<4x48x48xf32>) -> tensor<4x8x48xf32>
    %245 = stablehlo.transpose %244, dims = [2, 0, 1] : (tensor<4x8x48xf32>) -> tensor<48x4x8xf32>
    %246 = stablehlo.broadcast_in_dim %121, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %247 = stablehlo.multiply %243, %246 : tensor<4x48x48xf32>
    %248 = stablehlo.multiply %247, %114 : tensor<4x48x48xf32>
    %cst_58 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %249 = stablehlo.reduce(%248 init: %cst_58) applies stablehlo.add across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %250 = stablehlo.reshape %249 : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %251 = stablehlo.negate %250 : tensor<4x48x1xf32>
    %252 = stablehlo.broadcast_in_dim %116, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %253 = stablehlo.divide %243, %252 : tensor<4x48x48xf32>
    %cst_59 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %254 = stablehlo.reduce(%251 init: %cst_59) applies stablehlo.add across dimensions = [2] : (tensor<4x48x1xf32>, tensor<f32>) -> tensor<4x48xf32>
    %255 = stablehlo.broadcast_in_dim %254, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x48xf32>
    %256 = stablehlo.add %253, %255 : tensor<4x48x48xf32>
    %257 = stablehlo.multiply %256, %114 : tensor<4x48x48xf32>
    %258 = call @_where_5(%107#1, %257) : (tensor<4x48x48xi1>, tensor<4x48x48xf32>) -> tensor<4x48x48xf32>
    %cst_60 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %259 = stablehlo.broadcast_in_dim %cst_60, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %260 = stablehlo.divide %258, %259 : tensor<4x48x48xf32>
    %261 = stablehlo.dot_general %260, %99, batching_dims = [0] x [1], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x48x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x8xf32>
    %262 = stablehlo.transpose %261, dims = [1, 0, 2] : (tensor<4x48x8xf32>) -> tensor<48x4x8xf32>
    %263 = stablehlo.dot_general %260, %100, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x48x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x8xf32>
    %264 = stablehlo.transpose %263, dims = [1, 0, 2] : (tensor<4x48x8xf32>) -> tensor<48x4x8xf32>
    %265 = stablehlo.concatenate %264, %262, %245, dim = 2 : (tensor<48x4x8xf32>, tensor<48x4x8xf32>, tensor<48x4x8xf32>) -> tensor<48x4x24xf32>
    %266 = stablehlo.reshape %265 : (tensor<48x4x24xf32>) -> tensor<48x96xf32>
    %267 = stablehlo.dot_general %266, %96, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x96xf32>, tensor<48x32xf32>) -> tensor<96x32xf32>
    %268 = stablehlo.transpose %267, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %269 = stablehlo.dot_general %266, %arg5, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x96xf32>, tensor<32x96xf32>) -> tensor<48x32xf32>
    %270 = stablehlo.multiply %87, %269 : tensor<48x32xf32>
    %cst_61 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %271 = stablehlo.reduce(%270 init: %cst_61) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %272 = stablehlo.reshape %271 : (tensor<48xf32>) -> tensor<48x1xf32>
    %273 = stablehlo.broadcast_in_dim %91, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %274 = stablehlo.multiply %269, %273 : tensor<48x32xf32>
    %275 = stablehlo.multiply %272, %94 : tensor<48x1xf32>
    %276 = call @_var_3(%88#1, %88#2, %88#3, %275) : (tensor<48x32xf32>, tensor<f32>, tensor<i1>, tensor<48x1xf32>) -> tensor<48x32xf32>
    %277 = stablehlo.add %237, %276 : tensor<48x32xf32>
    %278 = stablehlo.negate %274 : tensor<48x32xf32>
    %cst_62 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %279 = stablehlo.reduce(%278 init: %cst_62) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %280 = stablehlo.reshape %279 : (tensor<48xf32>) -> tensor<48x1xf32>
    %281 = stablehlo.add %277, %274 : tensor<48x32xf32>
    %cst_63 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %282 = stablehlo.broadcast_in_dim %cst_63, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %283 = stablehlo.divide %280, %282 : tensor<48x1xf32>
    %cst_64 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %284 = stablehlo.reduce(%283 init: %cst_64) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %285 = stablehlo.broadcast_in_dim %284, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %286 = stablehlo.add %281, %285 : tensor<48x32xf32>
    %287 = stablehlo.dot_general %286, %79, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<48x128xf32>) -> tensor<32x128xf32>
    %288 = stablehlo.transpose %287, dims = [1, 0] : (tensor<32x128xf32>) -> tensor<128x32xf32>
    %289 = stablehlo.dot_general %286, %arg4, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<128x32xf32>) -> tensor<48x128xf32>
    %290 = stablehlo.multiply %71, %289 : tensor<48x128xf32>
    %291 = stablehlo.multiply %289, %75 : tensor<48x128xf32>
    %cst_65 = stablehlo.constant dense<-1.12837923> : tensor<f32>
    %292 = stablehlo.broadcast_in_dim %cst_65, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %293 = stablehlo.multiply %292, %290 : tensor<48x128xf32>
    %294 = stablehlo.multiply %293, %78 : tensor<48x128xf32>
    %cst_66 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %295 = stablehlo.broadcast_in_dim %cst_66, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %296 = stablehlo.multiply %294, %295 : tensor<48x128xf32>
    %297 = stablehlo.negate %296 : tensor<48x128xf32>
    %cst_67 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %298 = stablehlo.broadcast_in_dim %cst_67, dims = [] : (tensor<f32>) -> tensor<48x128xf32>
    %299 = stablehlo.multiply %298, %291 : tensor<48x128xf32>
    %300 = stablehlo.add %297, %299 : tensor<48x128xf32>
    %301 = stablehlo.dot_general %300, %68, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<48x32xf32>) -> tensor<128x32xf32>
    %302 = stablehlo.transpose %301, dims = [1, 0] : (tensor<128x32xf32>) -> tensor<32x128xf32>
    %303 = stablehlo.dot_general %300, %arg3, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x128xf32>, tensor<32x128xf32>) -> tensor<48x32xf32>
    %304 = stablehlo.multiply %59, %303 : tensor<48x32xf32>
    %cst_68 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %305 = stablehlo.reduce(%304 init: %cst_68) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %306 = stablehlo.reshape %305 : (tensor<48xf32>) -> tensor<48x1xf32>
    %307 = stablehlo.broadcast_in_dim %63, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %308 = stablehlo.multiply %303, %307 : tensor<48x32xf32>
    %309 = stablehlo.multiply %306, %66 : tensor<48x1xf32>
    %310 = call @_var_3(%60#1, %60#2, %60#3, %309) : (tensor<48x32xf32>, tensor<f32>, tensor<i1>, tensor<48x1xf32>) -> tensor<48x32xf32>
    %311 = stablehlo.add %286, %310 : tensor<48x32xf32>
    %312 = stablehlo.negate %308 : tensor<48x32xf32>
    %cst_69 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %313 = stablehlo.reduce(%312 init: %cst_69) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %314 = stablehlo.reshape %313 : (tensor<48xf32>) -> tensor<48x1xf32>
    %315 = stablehlo.add %311, %308 : tensor<48x32xf32>
    %cst_70 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %316 = stablehlo.broadcast_in_dim %cst_70, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %317 = stablehlo.divide %314, %316 : tensor<48x1xf32>
    %cst_71 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %318 = stablehlo.reduce(%317 init: %cst_71) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %319 = stablehlo.broadcast_in_dim %318, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %320 = stablehlo.add %315, %319 : tensor<48x32xf32>
    %321 = stablehlo.dot_general %320, %51, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<48x32xf32>) -> tensor<32x32xf32>
    %322 = stablehlo.transpose %321, dims = [1, 0] : (tensor<32x32xf32>) -> tensor<32x32xf32>
    %323 = stablehlo.dot_general %320, %arg2, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x32xf32>, tensor<32x32xf32>) -> tensor<48x32xf32>
    %324 = stablehlo.reshape %323 : (tensor<48x32xf32>) -> tensor<48x4x8xf32>
    %325 = stablehlo.transpose %324, dims = [1, 2, 0] : (tensor<48x4x8xf32>) -> tensor<4x8x48xf32>
    %326 = stablehlo.dot_general %325, %28, batching_dims = [0] x [1], contracting_dims = [1] x [2], precision = [DEFAULT, DEFAULT] : (tensor<4x8x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x48xf32>
    %327 = stablehlo.dot_general %325, %45, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x8x48xf32>, tensor<4x48x48xf32>) -> tensor<4x8x48xf32>
    %328 = stablehlo.transpose %327, dims = [2, 0, 1] : (tensor<4x8x48xf32>) -> tensor<48x4x8xf32>
    %329 = stablehlo.broadcast_in_dim %48, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %330 = stablehlo.multiply %326, %329 : tensor<4x48x48xf32>
    %331 = stablehlo.multiply %330, %41 : tensor<4x48x48xf32>
    %cst_72 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %332 = stablehlo.reduce(%331 init: %cst_72) applies stablehlo.add across dimensions = [2] : (tensor<4x48x48xf32>, tensor<f32>) -> tensor<4x48xf32>
    %333 = stablehlo.reshape %332 : (tensor<4x48xf32>) -> tensor<4x48x1xf32>
    %334 = stablehlo.negate %333 : tensor<4x48x1xf32>
    %335 = stablehlo.broadcast_in_dim %43, dims = [0, 1, 2] : (tensor<4x48x1xf32>) -> tensor<4x48x48xf32>
    %336 = stablehlo.divide %326, %335 : tensor<4x48x48xf32>
    %cst_73 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %337 = stablehlo.reduce(%334 init: %cst_73) applies stablehlo.add across dimensions = [2] : (tensor<4x48x1xf32>, tensor<f32>) -> tensor<4x48xf32>
    %338 = stablehlo.broadcast_in_dim %337, dims = [0, 1] : (tensor<4x48xf32>) -> tensor<4x48x48xf32>
    %339 = stablehlo.add %336, %338 : tensor<4x48x48xf32>
    %340 = stablehlo.multiply %339, %41 : tensor<4x48x48xf32>
    %341 = call @_where_5(%34#1, %340) : (tensor<4x48x48xi1>, tensor<4x48x48xf32>) -> tensor<4x48x48xf32>
    %cst_74 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %342 = stablehlo.broadcast_in_dim %cst_74, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %343 = stablehlo.divide %341, %342 : tensor<4x48x48xf32>
    %344 = stablehlo.dot_general %343, %26, batching_dims = [0] x [1], contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x48x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x8xf32>
    %345 = stablehlo.transpose %344, dims = [1, 0, 2] : (tensor<4x48x8xf32>) -> tensor<48x4x8xf32>
    %346 = stablehlo.dot_general %343, %27, batching_dims = [0] x [1], contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x48x48xf32>, tensor<48x4x8xf32>) -> tensor<4x48x8xf32>
    %347 = stablehlo.transpose %346, dims = [1, 0, 2] : (tensor<4x48x8xf32>) -> tensor<48x4x8xf32>
    %348 = stablehlo.concatenate %347, %345, %328, dim = 2 : (tensor<48x4x8xf32>, tensor<48x4x8xf32>, tensor<48x4x8xf32>) -> tensor<48x4x24xf32>
    %349 = stablehlo.reshape %348 : (tensor<48x4x24xf32>) -> tensor<48x96xf32>
    %350 = stablehlo.dot_general %349, %23, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<48x96xf32>, tensor<48x32xf32>) -> tensor<96x32xf32>
    %351 = stablehlo.transpose %350, dims = [1, 0] : (tensor<96x32xf32>) -> tensor<32x96xf32>
    %352 = stablehlo.dot_general %349, %arg1, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<48x96xf32>, tensor<32x96xf32>) -> tensor<48x32xf32>
    %353 = stablehlo.multiply %14, %352 : tensor<48x32xf32>
    %cst_75 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %354 = stablehlo.reduce(%353 init: %cst_75) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %355 = stablehlo.reshape %354 : (tensor<48xf32>) -> tensor<48x1xf32>
    %356 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %357 = stablehlo.multiply %352, %356 : tensor<48x32xf32>
    %358 = stablehlo.multiply %355, %21 : tensor<48x1xf32>
    %359 = call @_var_3(%15#1, %15#2, %15#3, %358) : (tensor<48x32xf32>, tensor<f32>, tensor<i1>, tensor<48x1xf32>) -> tensor<48x32xf32>
    %360 = stablehlo.add %320, %359 : tensor<48x32xf32>
    %361 = stablehlo.negate %357 : tensor<48x32xf32>
    %cst_76 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %362 = stablehlo.reduce(%361 init: %cst_76) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %363 = stablehlo.reshape %362 : (tensor<48xf32>) -> tensor<48x1xf32>
    %364 = stablehlo.add %360, %357 : tensor<48x32xf32>
    %cst_77 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %365 = stablehlo.broadcast_in_dim %cst_77, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %366 = stablehlo.divide %363, %365 : tensor<48x1xf32>
    %cst_78 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %367 = stablehlo.reduce(%366 init: %cst_78) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %368 = stablehlo.broadcast_in_dim %367, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %369 = stablehlo.add %364, %368 : tensor<48x32xf32>
    %cst_79 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %370 = stablehlo.broadcast_in_dim %cst_79, dims = [] : (tensor<f32>) -> tensor<30x32xf32>
    %371 = "stablehlo.scatter"(%370, %6, %369) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %373 = stablehlo.add %arg11, %arg12 : tensor<f32>
      stablehlo.return %373 : tensor<f32>
    }) : (tensor<30x32xf32>, tensor<48x1xi32>, tensor<48x32xf32>) -> tensor<30x32xf32>
    %372 = stablehlo.add %187, %371 : tensor<30x32xf32>
    return %178, %372, %351, %322, %302, %288, %268, %239, %219, %205, %369 : tensor<f32>, tensor<30x32xf32>, tensor<32x96xf32>, tensor<32x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<32x96xf32>, tensor<32x32xf32>, tensor<32x128xf32>, tensor<128x32xf32>, tensor<48x32xf32>
  }
  func.func private @_var(%arg0: tensor<48x32xf32>, %arg1: tensor<i32>) -> (tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<48x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x32xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<48x32xf32>
    %6 = chlo.square %5 : tensor<48x32xf32> -> tensor<48x32xf32>
    %cst_1 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %7 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<48x32xf32>
    %8 = stablehlo.multiply %7, %5 : tensor<48x32xf32>
    %9 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %10 = stablehlo.subtract %cst_2, %9 : tensor<f32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%6 init: %cst_3) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %13 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %14 = stablehlo.divide %12, %13 : tensor<48x1xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %15 = stablehlo.compare GT, %10, %cst_4, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %cst_5 = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %16 = call @_where(%15, %14, %cst_5) : (tensor<i1>, tensor<48x1xf32>, tensor<f32>) -> tensor<48x1xf32>
    return %16, %8, %10, %15 : tensor<48x1xf32>, tensor<48x32xf32>, tensor<f32>, tensor<i1>
  }
  func.func private @_where(%arg0: tensor<i1>, %arg1: tensor<48x1xf32>, %arg2: tensor<f32>) -> tensor<48x1xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %2 = stablehlo.select %arg0, %arg1, %1 : tensor<i1>, tensor<48x1xf32>
    return %2 : tensor<48x1xf32>
  }
  func.func private @tril(%arg0: tensor<48x48xi1>) -> tensor<48x48xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<48x48xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48x48xi32>
    %2 = stablehlo.add %0, %1 : tensor<48x48xi32>
    %3 = stablehlo.iota dim = 1 : tensor<48x48xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<48x48xi32>, tensor<48x48xi32>) -> tensor<48x48xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<48x48xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<48x48xi1>, tensor<48x48xi1>
    return %6 : tensor<48x48xi1>
  }
  func.func private @_where_0(%arg0: tensor<48x48xi1>, %arg1: tensor<4x48x48xf32>, %arg2: tensor<f32>) -> (tensor<4x48x48xf32>, tensor<4x48x48xi1>) {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [1, 2] : (tensor<48x48xi1>) -> tensor<4x48x48xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<4x48x48xi1>, tensor<4x48x48xf32>
    return %3, %1 : tensor<4x48x48xf32>, tensor<4x48x48xi1>
  }
  func.func private @log_softmax(%arg0: tensor<48x30xf32>) -> (tensor<48x30xf32>, tensor<48x30xf32>, tensor<48x1xf32>) {
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) applies stablehlo.maximum across dimensions = [1] : (tensor<48x30xf32>, tensor<f32>) -> tensor<48xf32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<48xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<48xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x30xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<48x30xf32>
    %6 = stablehlo.exponential %5 : tensor<48x30xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [1] : (tensor<48x30xf32>, tensor<f32>) -> tensor<48xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<48xf32>) -> tensor<48x1xf32>
    %9 = stablehlo.log %8 : tensor<48x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<48x1xf32>) -> tensor<48x30xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<48x30xf32>
    return %11, %6, %8 : tensor<48x30xf32>, tensor<48x30xf32>, tensor<48x1xf32>
  }
  func.func private @take_along_axis(%arg0: tensor<48x30xf32>, %arg1: tensor<48x1xi32>) -> (tensor<48x1xf32>, tensor<48x1x1xi32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<48x1xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<48x1xi32>, tensor<48x1xi32>) -> tensor<48x1xi1>
    %c_0 = stablehlo.constant dense<30> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<48x1xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<48x1xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<48x1xi1>, tensor<48x1xi32>
    %5 = stablehlo.reshape %4 : (tensor<48x1xi32>) -> tensor<48x1x1xi32>
    %c_1 = stablehlo.constant dense<29> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<48x1x1xi32>
    %7 = stablehlo.compare GE, %5, %6, SIGNED : (tensor<48x1x1xi32>, tensor<48x1x1xi32>) -> tensor<48x1x1xi1>
    %8 = stablehlo.broadcast_in_dim %c_1, dims = [2] : (tensor<1xi32>) -> tensor<1x1x1xi32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<1x1x1xi32>) -> tensor<48x1x1xi32>
    %10 = stablehlo.compare LE, %5, %9, SIGNED : (tensor<48x1x1xi32>, tensor<48x1x1xi32>) -> tensor<48x1x1xi1>
    %11 = stablehlo.and %7, %10 : tensor<48x1x1xi1>
    %c_3 = stablehlo.constant dense<true> : tensor<i1>
    %12 = stablehlo.reduce(%11 init: %c_3) applies stablehlo.and across dimensions = [2] : (tensor<48x1x1xi1>, tensor<i1>) -> tensor<48x1xi1>
    %13 = "stablehlo.gather"(%arg0, %5) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<48x30xf32>, tensor<48x1x1xi32>) -> tensor<48x1xf32>
    %cst = stablehlo.constant dense<0x7FC00000> : tensor<f32>
    %14 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %15 = stablehlo.select %12, %13, %14 : tensor<48x1xi1>, tensor<48x1xf32>
    return %15, %5 : tensor<48x1xf32>, tensor<48x1x1xi32>
  }
  func.func private @take_along_axis_1(%arg0: tensor<48x1x1xi32>, %arg1: tensor<48x1xf32>) -> tensor<48x30xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x30xf32>
    %1 = "stablehlo.scatter"(%0, %arg0, %arg1) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %2 = stablehlo.add %arg2, %arg3 : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<48x30xf32>, tensor<48x1x1xi32>, tensor<48x1xf32>) -> tensor<48x30xf32>
    return %1 : tensor<48x30xf32>
  }
  func.func private @log_softmax_2(%arg0: tensor<48x30xf32>, %arg1: tensor<48x1xf32>, %arg2: tensor<48x30xf32>) -> tensor<48x30xf32> {
    %0 = stablehlo.negate %arg2 : tensor<48x30xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<48x30xf32>, tensor<f32>) -> tensor<48xf32>
    %2 = stablehlo.reshape %1 : (tensor<48xf32>) -> tensor<48x1xf32>
    %3 = stablehlo.divide %2, %arg1 : tensor<48x1xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %4 = stablehlo.reduce(%3 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<48xf32>) -> tensor<48x30xf32>
    %6 = stablehlo.multiply %5, %arg0 : tensor<48x30xf32>
    %7 = stablehlo.add %arg2, %6 : tensor<48x30xf32>
    return %7 : tensor<48x30xf32>
  }
  func.func private @_var_3(%arg0: tensor<48x32xf32>, %arg1: tensor<f32>, %arg2: tensor<i1>, %arg3: tensor<48x1xf32>) -> tensor<48x32xf32> {
    %0 = call @_where_4(%arg2, %arg3) : (tensor<i1>, tensor<48x1xf32>) -> tensor<48x1xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %2 = stablehlo.divide %0, %1 : tensor<48x1xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%2 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %5 = stablehlo.multiply %4, %arg0 : tensor<48x32xf32>
    %6 = stablehlo.negate %5 : tensor<48x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_0) applies stablehlo.add across dimensions = [1] : (tensor<48x32xf32>, tensor<f32>) -> tensor<48xf32>
    %8 = stablehlo.reshape %7 : (tensor<48xf32>) -> tensor<48x1xf32>
    %cst_1 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<48x1xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.reduce(%10 init: %cst_2) applies stablehlo.add across dimensions = [1] : (tensor<48x1xf32>, tensor<f32>) -> tensor<48xf32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<48xf32>) -> tensor<48x32xf32>
    %13 = stablehlo.add %5, %12 : tensor<48x32xf32>
    return %13 : tensor<48x32xf32>
  }
  func.func private @_where_4(%arg0: tensor<i1>, %arg1: tensor<48x1xf32>) -> tensor<48x1xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<48x1xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<i1>, tensor<48x1xf32>
    return %1 : tensor<48x1xf32>
  }
  func.func private @_where_5(%arg0: tensor<4x48x48xi1>, %arg1: tensor<4x48x48xf32>) -> tensor<4x48x48xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x48x48xf32>
    %1 = stablehlo.select %arg0, %arg1, %0 : tensor<4x48x48xi1>, tensor<4x48x48xf32>
    return %1 : tensor<4x48x48xf32>
  }
}
