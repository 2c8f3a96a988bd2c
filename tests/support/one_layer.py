"""Networks of one layer in files, such as frameworks export."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


def network(path, field, size, actions, kind=TensorProto.FLOAT):
    """Write a network of one layer; the scores of the actions are a fixed function of one flat field."""
    weights = np.random.default_rng(5).normal(size=(size, actions)).astype(np.float32)
    graph = helper.make_graph(
        [
            helper.make_node("Cast", [field], ["cast"], to=TensorProto.FLOAT),
            helper.make_node("MatMul", ["cast", "weights"], ["scores"]),
        ],
        "one layer",
        [helper.make_tensor_value_info(field, kind, ["batch", size])],
        [helper.make_tensor_value_info("scores", TensorProto.FLOAT, ["batch", actions])],
        [numpy_helper.from_array(weights, "weights")],
    )
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9), path)
    return weights
