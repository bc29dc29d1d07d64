/** A model of vehicle that a fleet may own. */
export interface VehicleModel {
  readonly make: string
  readonly model: string
  readonly kind: 'Truck' | 'Box' | 'Van'
  /** World manufacturer identifier: the first three characters of its VINs. */
  readonly wmi: string
  readonly fuelType: 'diesel' | 'gasoline' | 'electric'
  /** Null for an electric vehicle. */
  readonly fuelTankGallons: number | null
  /** Range with a full tank or battery. */
  readonly rangeMiles: number
  /** Weight in the random choice of a model. */
  readonly weight: number
}

export const VEHICLE_MODELS: readonly VehicleModel[] = [
  truck('Freightliner', 'Cascadia', '1FU', 240, 6.9, 22),
  truck('Kenworth', 'T680', '1XK', 260, 6.7, 12),
  truck('Peterbilt', '579', '1XP', 260, 6.6, 11),
  truck('Volvo', 'VNL 760', '4V4', 250, 7.1, 10),
  truck('International', 'LT625', '3HS', 220, 6.8, 8),
  truck('Mack', 'Anthem', '1M1', 150, 6.5, 5),
  { ...truck('Freightliner', 'M2 106', '3AL', 100, 9.2, 6), kind: 'Box' },
  { ...truck('Hino', '268A', '5PV', 50, 9.5, 4), kind: 'Box' },
  { ...truck('Mercedes-Benz', 'Sprinter 2500', 'W1Y', 24.5, 19, 5), kind: 'Van' },
  { ...truck('Ford', 'Transit 250', '1FT', 25, 16, 8), kind: 'Van', fuelType: 'gasoline' },
  { ...truck('Ram', 'ProMaster 2500', '3C6', 24, 16.5, 5), kind: 'Van', fuelType: 'gasoline' },
  electric('Ford', 'E-Transit', 'Van', '1FT', 310, 2),
  electric('Freightliner', 'eCascadia', 'Truck', '1FU', 330, 2),
]

function truck(
  make: string,
  model: string,
  wmi: string,
  gallons: number,
  milesPerGallon: number,
  weight: number,
): VehicleModel {
  const rangeMiles = gallons * milesPerGallon
  return { make, model, kind: 'Truck', wmi, fuelType: 'diesel', fuelTankGallons: gallons, rangeMiles, weight }
}

function electric(
  make: string,
  model: string,
  kind: VehicleModel['kind'],
  wmi: string,
  rangeMiles: number,
  weight: number,
): VehicleModel {
  return { make, model, kind, wmi, fuelType: 'electric', fuelTankGallons: null, rangeMiles, weight }
}
