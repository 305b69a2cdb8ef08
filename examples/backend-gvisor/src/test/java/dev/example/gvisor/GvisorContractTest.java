package dev.example.gvisor;

import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;

class GvisorContractTest extends BackendContract {

    @Override
    protected Backend backend() {
        return new GvisorBackend();
    }
}
