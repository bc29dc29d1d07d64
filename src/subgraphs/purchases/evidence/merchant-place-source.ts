/** What the place of a merchant is known from. */
export enum MerchantPlaceSource {
  SITE = 'site',
  COORDINATES = 'coordinates',
  LEARNT = 'learnt',
  POSTAL_CODE = 'postal_code',
  CITY = 'city',
}
