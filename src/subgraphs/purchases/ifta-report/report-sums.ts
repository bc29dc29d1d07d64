import { rounded } from '../../../domain/units.ts'
import { fuelTypesOf, type IftaFuel } from './ifta-fuel.ts'
import { type IftaReportGap, IftaReportGapKind } from './ifta-report.ts'
import type { DistanceRow, FuelRow, VehicleGapsRow } from './ifta-sql.ts'
import type { JurisdictionSums } from './tax-return.ts'

const {
  DISTANCE_WITHOUT_JURISDICTION,
  DISTANCE_WITHOUT_FUEL_TYPE,
  DISTANCE_WITHOUT_FUEL,
  FUEL_WITHOUT_JURISDICTION,
  FUEL_WITHOUT_FUEL_TYPE,
  FUEL_OF_OTHER_VEHICLES,
  CAPTURES_WITHOUT_LITERS,
  CAPTURES_WITHOUT_PRODUCT,
  MONTHS_WITHOUT_DISTANCE,
} = IftaReportGapKind

const texts: Readonly<Record<IftaReportGapKind, string>> = {
  [DISTANCE_WITHOUT_JURISDICTION]:
    'This distance counts for the mean consumption, but for no jurisdiction. Look up where the vehicles were, and add it by hand.',
  [DISTANCE_WITHOUT_FUEL_TYPE]:
    'The report lacks this distance. Set the fuel types of these vehicles with setVehicleFacts, and request the report again.',
  [DISTANCE_WITHOUT_FUEL]:
    'This distance counts for the mean consumption, but the report has no fuel for it. Record the fuel that these vehicles bought, or leave them out.',
  [FUEL_WITHOUT_JURISDICTION]:
    'This fuel counts for the mean consumption, but is not tax-paid in any jurisdiction. If it was bought in the US or Canada, send the address or the coordinates of the merchants, or set sites for them.',
  [FUEL_WITHOUT_FUEL_TYPE]:
    'The report lacks this fuel. Set the fuel types of these vehicles with setVehicleFacts, and request the report again.',
  [FUEL_OF_OTHER_VEHICLES]:
    'The report lacks this fuel. Correct the fuel types of these vehicles with setVehicleFacts, or find out who bought it.',
  [CAPTURES_WITHOUT_LITERS]:
    'The report lacks the fuel of these captures. Take the liters from the receipts, and add them by hand.',
  [CAPTURES_WITHOUT_PRODUCT]:
    'The report lacks the fuel of these captures. Take the product from the receipts, and add it by hand.',
  [MONTHS_WITHOUT_DISTANCE]:
    'Find the vehicles with iftaSummary by vehicle and month. If they drove, add the distance by hand.',
}

interface GapSums {
  count: number
  distance: number | null
  liters: number | null
}

/** Distances and fuel of a report, to which the rows of each statement are added. */
export class ReportSums {
  private readonly fuel: IftaFuel
  private readonly fuelTypes: readonly (string | null)[]
  private readonly byJurisdiction = new Map<string, { kilometers: number; liters: number }>()
  private readonly byGap = new Map<IftaReportGapKind, GapSums>()

  constructor(fuel: IftaFuel) {
    this.fuel = fuel
    this.fuelTypes = fuelTypesOf(fuel)
  }

  addDistance({ vehicleFuel, jurisdiction, ...row }: DistanceRow): void {
    const [distance, count] = [Number(row.distance), Number(row.vehicles)]
    if (vehicleFuel === null) this.addGap(DISTANCE_WITHOUT_FUEL_TYPE, { count, distance })
    else if (this.fuelTypes.includes(vehicleFuel)) {
      this.sumsOf(jurisdiction).kilometers += distance
      if (jurisdiction === '') this.addGap(DISTANCE_WITHOUT_JURISDICTION, { count, distance })
    }
  }

  addFuel(row: FuelRow, jurisdiction: string | null): void {
    const isOfFuel = this.fuelTypes.includes(row.vehicleFuel)
    // Without a product, it is the fuel of the vehicle, or any fuel.
    if (row.product === null ? !isOfFuel && row.vehicleFuel !== null : row.product !== this.fuel) return
    this.addGap(CAPTURES_WITHOUT_LITERS, { count: Number(row.unmeasured) })
    const [liters, count] = [Number(row.liters ?? 0), Number(row.captures)]
    if (count === 0) return
    const gap = gapOf(row, isOfFuel)
    if (gap) return this.addGap(gap, { count, liters })
    this.sumsOf(jurisdiction ?? '').liters += liters
    if (jurisdiction === null) this.addGap(FUEL_WITHOUT_JURISDICTION, { count, liters })
  }

  addVehicleGaps({ missingMonths, unfueledVehicles, unfueledDistance }: VehicleGapsRow): void {
    this.addGap(MONTHS_WITHOUT_DISTANCE, { count: Number(missingMonths) })
    this.addGap(DISTANCE_WITHOUT_FUEL, {
      count: Number(unfueledVehicles),
      distance: Number(unfueledDistance),
    })
  }

  get jurisdictions(): JurisdictionSums[] {
    return [...this.byJurisdiction].map(([jurisdiction, sums]) => ({
      jurisdiction: jurisdiction || null,
      ...sums,
    }))
  }

  /** The gaps in the order of their kinds. */
  get gaps(): IftaReportGap[] {
    return Object.values(IftaReportGapKind).flatMap((kind) => {
      const sums = this.byGap.get(kind)
      return sums
        ? {
            kind,
            count: sums.count,
            distance: roundedOf(sums.distance),
            liters: roundedOf(sums.liters),
            text: texts[kind],
          }
        : []
    })
  }

  private sumsOf(jurisdiction: string) {
    const sums = this.byJurisdiction.get(jurisdiction) ?? { kilometers: 0, liters: 0 }
    this.byJurisdiction.set(jurisdiction, sums)
    return sums
  }

  private addGap(kind: IftaReportGapKind, added: Pick<GapSums, 'count'> & Partial<GapSums>): void {
    if (added.count === 0 || added.distance === 0 || added.liters === 0) return
    const { count = 0, distance = null, liters = null } = this.byGap.get(kind) ?? {}
    this.byGap.set(kind, {
      count: count + added.count,
      distance: added.distance == null ? distance : (distance ?? 0) + added.distance,
      liters: added.liters == null ? liters : (liters ?? 0) + added.liters,
    })
  }
}

/** Returns why the liters of captures are in no report; null if they are in it. */
function gapOf({ product, vehicleFuel }: FuelRow, isOfFuel: boolean): IftaReportGapKind | null {
  if (product === null) return CAPTURES_WITHOUT_PRODUCT
  if (vehicleFuel === null) return FUEL_WITHOUT_FUEL_TYPE
  return isOfFuel ? null : FUEL_OF_OTHER_VEHICLES
}

const roundedOf = (sum: number | null): number | null => (sum === null ? null : rounded(sum, 3))
