/** Keys without a stored sample; they are known from captures of live records and from the object pages. */
export const moreKeys: Readonly<Record<string, readonly string[]>> = {
  Device: ['comment', 'fuelTankCapacity', 'ignoreDownloadsUntil', 'licenseState', 'productId', 'version'],
  User: [
    'employeeNo',
    'hosRuleSet',
    'licenseNumber',
    'licenseProvince',
    'phoneNumber',
    'version',
    'viewDriversOwnDataOnly',
  ],
  Trip: [
    'afterHoursStopDuration',
    'odometer',
    ...[1, 2, 3].flatMap((range) => [`speedRange${range}`, `speedRange${range}Duration`]),
    'version',
    'workStopDuration',
  ],
  ExceptionEvent: ['details', 'version'],
  FaultData: ['sourceAddress'],
}
