package dev.stockade.planted.right;

import dev.stockade.planted.left.Left;
import java.util.List;

public record Right(List<Left> lefts) {}
