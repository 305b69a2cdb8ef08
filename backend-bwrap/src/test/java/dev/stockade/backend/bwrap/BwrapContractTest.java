package dev.stockade.backend.bwrap;

import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;

class BwrapContractTest extends BackendContract {

    @Override
    protected Backend backend() {
        return new BwrapBackend();
    }
}
