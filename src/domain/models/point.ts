export interface Point {
  readonly longitude: number
  readonly latitude: number
}

/** Returns the two columns of the place where a record starts or ends. */
export const pointColumns = (end: 'start' | 'end', point: Point | null) => ({
  [`${end}Longitude`]: point?.longitude ?? null,
  [`${end}Latitude`]: point?.latitude ?? null,
})
