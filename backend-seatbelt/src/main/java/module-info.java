/** The backend {@code seatbelt}. */
@org.jspecify.annotations.NullMarked
module dev.stockade.backend.seatbelt {
    requires dev.stockade.api;
    requires static org.jspecify;

    provides dev.stockade.api.spi.Backend with
            dev.stockade.backend.seatbelt.SeatbeltBackend;
}
