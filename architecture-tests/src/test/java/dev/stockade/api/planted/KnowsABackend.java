package dev.stockade.api.planted;

final class KnowsABackend {
    static final Object BACKEND = dev.stockade.planted.left.Left.class;

    private KnowsABackend() {}
}
