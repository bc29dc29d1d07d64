/** Keys that are in no stored sample. Captures of live records and the documentation have them. */
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
