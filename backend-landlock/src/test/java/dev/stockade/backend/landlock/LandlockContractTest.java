package dev.stockade.backend.landlock;

import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;

class LandlockContractTest extends BackendContract {

    @Override
    protected Backend backend() {
        return new LandlockBackendProvider();
    }
}
