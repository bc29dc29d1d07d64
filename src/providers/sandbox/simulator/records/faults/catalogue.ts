/** A fault of a heavy vehicle (SAE J1939). */
export interface HeavyFault {
  readonly spn: number
  readonly spnName: string
  readonly fmi: number
  readonly fmiName: string
  readonly sourceAddress: number
  /** Whether the fault turns the warning lamp on. */
  readonly lamp: boolean
}

/** A fault of a light vehicle (SAE J2012). */
export interface LightFault {
  readonly code: string
  readonly text: string
  /** Whether the fault turns the warning lamp on. */
  readonly lamp: boolean
}

// Source addresses of J1939: the part of the vehicle that reports the fault.
const ENGINE = 0
const TRANSMISSION = 3
const BRAKES = 11
const AFTERTREATMENT = 85

// Whether the fault turns the warning lamp on.
const LAMP = true
const NO_LAMP = false

const FMI_NAMES: Readonly<Record<number, string>> = {
  0: 'Data valid but above normal operational range, most severe level',
  1: 'Data valid but below normal operational range, most severe level',
  2: 'Data erratic, intermittent or incorrect',
  3: 'Voltage above normal, or shorted to high source',
  4: 'Voltage below normal, or shorted to low source',
  5: 'Current below normal or open circuit',
  9: 'Abnormal update rate',
  15: 'Data valid but above normal operating range, least severe level',
  16: 'Data valid but above normal operating range, moderately severe level',
  17: 'Data valid but below normal operating range, least severe level',
  18: 'Data valid but below normal operating range, moderately severe level',
}

export const HEAVY_FAULTS: readonly HeavyFault[] = [
  heavy(100, 'Engine Oil Pressure', 1, ENGINE, LAMP),
  heavy(100, 'Engine Oil Pressure', 18, ENGINE, LAMP),
  heavy(110, 'Engine Coolant Temperature', 16, ENGINE, LAMP),
  heavy(111, 'Engine Coolant Level', 17, ENGINE, NO_LAMP),
  heavy(94, 'Engine Fuel Delivery Pressure', 18, ENGINE, LAMP),
  heavy(157, 'Engine Fuel 1 Injector Metering Rail 1 Pressure', 0, ENGINE, LAMP),
  heavy(168, 'Battery Potential / Power Input 1', 4, ENGINE, NO_LAMP),
  heavy(190, 'Engine Speed', 2, ENGINE, LAMP),
  heavy(629, 'Controller #1', 2, TRANSMISSION, LAMP),
  heavy(639, 'J1939 Network #1', 9, TRANSMISSION, NO_LAMP),
  heavy(789, 'Wheel Speed Sensor Front Axle, Left', 5, BRAKES, NO_LAMP),
  heavy(1761, 'Aftertreatment 1 Diesel Exhaust Fluid Tank Volume', 17, AFTERTREATMENT, NO_LAMP),
  heavy(3216, 'Aftertreatment 1 Intake NOx', 3, AFTERTREATMENT, LAMP),
  heavy(3251, 'Aftertreatment 1 Diesel Particulate Filter Differential Pressure', 15, AFTERTREATMENT, LAMP),
  heavy(4364, 'Aftertreatment 1 SCR Conversion Efficiency', 18, AFTERTREATMENT, LAMP),
]

export const LIGHT_FAULTS: readonly LightFault[] = [
  { code: 'P0087', text: 'Fuel Rail/System Pressure - Too Low', lamp: true },
  { code: 'P0128', text: 'Coolant Thermostat (Below Thermostat Regulating Temperature)', lamp: true },
  { code: 'P0171', text: 'System Too Lean (Bank 1)', lamp: true },
  { code: 'P0300', text: 'Random/Multiple Cylinder Misfire Detected', lamp: true },
  { code: 'P0420', text: 'Catalyst System Efficiency Below Threshold (Bank 1)', lamp: true },
  { code: 'P0455', text: 'Evaporative Emission System Leak Detected (Large Leak)', lamp: false },
  { code: 'P0562', text: 'System Voltage Low', lamp: false },
  { code: 'C0035', text: 'Left Front Wheel Speed Sensor Circuit', lamp: false },
  { code: 'U0100', text: 'Lost Communication With ECM/PCM "A"', lamp: true },
]

function heavy(spn: number, spnName: string, fmi: number, sourceAddress: number, lamp: boolean): HeavyFault {
  return { spn, spnName, fmi, fmiName: FMI_NAMES[fmi] ?? 'Condition exists', sourceAddress, lamp }
}
