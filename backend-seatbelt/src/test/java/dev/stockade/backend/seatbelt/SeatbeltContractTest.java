package dev.stockade.backend.seatbelt;

import dev.stockade.api.spi.Backend;
import dev.stockade.conformance.BackendContract;

class SeatbeltContractTest extends BackendContract {

    @Override
    protected Backend backend() {
        return new SeatbeltBackend();
    }
}
