package dev.stockade.backend.none;

import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;

class NoneContractTest extends BackendContract {

    @Override
    protected Backend backend() {
        return new NoneBackend();
    }
}
