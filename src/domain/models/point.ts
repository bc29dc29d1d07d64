/** Position on the earth, in degrees. */
export interface Point {
  readonly longitude: number
  readonly latitude: number
}

/** Returns the columns of the position where a record starts or ends, such as `startLongitude`. */
export const pointColumns = (end: 'start' | 'end', point: Point | null) => ({
  [`${end}Longitude`]: point?.longitude ?? null,
  [`${end}Latitude`]: point?.latitude ?? null,
})
