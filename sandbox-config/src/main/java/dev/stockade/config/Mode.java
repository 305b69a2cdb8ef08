package dev.stockade.config;

/** Whether a command may run without a sandbox. */
public enum Mode {
    /** Never. The default. */
    REQUIRED,

    /** Where no sandbox works here, with a notice in the result. */
    AUTO,

    /** Always, with a notice in the result. */
    OFF
}
