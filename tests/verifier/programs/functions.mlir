func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  // expect: func.return-A1
  return %a : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.return-A1
  return
}
// -----
func.func @f(%a: tensor<2xf32>) {
  // expect: func.return-A1
  return %a : tensor<2xf32>
}
// -----
// expect: func.func-A6
func.func @f()
// -----
// expect: func.func-A6
func.func public @f() 
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A1
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<3xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A2
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<2xf32>) -> tensor<3xf32>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A3
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<?xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A2
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A2
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<2xf32>)
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A3
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
sdy.mesh @g = <["x"=2]>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A1
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-I2
  %0 = call @m::@g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
module @m {
  func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
}
// -----
module {
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-I2
  %0 = call @m::@g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
module @m {
  func.func private @g(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
}
}
// -----
module {
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A1
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
module {
  func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
}
}
// -----
module {
  func.func @g(%a: tensor<2xf32>) -> tensor<2xf32> { return %a : tensor<2xf32> }
module {
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call-A1
  %0 = call @g(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
}
}
// -----
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.constant-A1
  %f = constant @g : (tensor<2xf32>) -> tensor<2xf32>
  %0 = call_indirect %f(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func private @g(tensor<3xf32>) -> tensor<2xf32>
func.func @f(%a: tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.constant-A2
  %f = constant @g : (tensor<2xf32>) -> tensor<2xf32>
  %0 = call_indirect %f(%a) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %f: (tensor<3xf32>) -> tensor<2xf32>) -> tensor<2xf32> {
  // expect: func.call_indirect-A1
  %0 = "func.call_indirect"(%f, %a) : ((tensor<3xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
// -----
func.func @f(%a: tensor<2xf32>, %f: (tensor<2xf32>) -> tensor<2xf32>) -> tensor<3xf32> {
  // expect: func.call_indirect-A2
  %0 = "func.call_indirect"(%f, %a) : ((tensor<2xf32>) -> tensor<2xf32>, tensor<2xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
// -----
// expect: func.func-A2
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f"}> ({
^bb0(%a: tensor<3xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A2
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f"}> ({
^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A3
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", arg_attrs = []}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A3
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", arg_attrs = [{}, {}]}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-I4
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", arg_attrs = [1]}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A3
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", arg_attrs = [{a = 1}]}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A4
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", res_attrs = [{}]}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A5
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f", sym_visibility = "wrong"}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-A1
"func.func"() <{function_type = tensor<2xf32>, sym_name = "f"}> ({
^bb0(%a: tensor<2xf32>):
  "func.return"() : () -> ()
}) : () -> ()
// -----
// expect: func.func-regions
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f"}> ({}, {}) : () -> ()
// -----
// expect: func.func-I7
"func.func"() <{function_type = (tensor<2xf32>) -> (), sym_name = "f"}> : () -> ()
// -----
// expect: func.func-I1
"func.func"() <{function_type = () -> ()}> ({ "func.return"() : () -> ()}) : () -> ()
// -----
// expect: builtin.module-regions
"builtin.module"() ({}, {}) : () -> ()
// -----
// expect: builtin.module-I3
"builtin.module"() ({}) : () -> ()
// -----
// expect: builtin.module-I3
"builtin.module"() ({^bb0: 
 ^bb1:
}) : () -> ()
// -----
// expect: builtin.module-results
%a = "builtin.module"() ({^bb0: 
}) : () -> i32
