package dev.stockade.planted.left;

import dev.stockade.planted.right.Right;

public record Left(Right right) {}
