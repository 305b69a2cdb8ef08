/** A service that puts a boundary around itself. */
module dev.example.service {
    requires dev.stockade.api;
    requires jdk.httpserver;
}
