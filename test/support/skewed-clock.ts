/** Loaded before a process (`--import`): its clock is wrong by CLOCK_SKEW_MS, as on a machine without a time service. */
const skewMs = Number(process.env['CLOCK_SKEW_MS'] ?? '0')

const RightDate = Date

class SkewedDate extends RightDate {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(RightDate.now() + skewMs)
    else super(...(given as ConstructorParameters<DateConstructor>))
  }

  static override now(): number {
    return RightDate.now() + skewMs
  }
}

globalThis.Date = SkewedDate as DateConstructor
