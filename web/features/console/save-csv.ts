/**
 * Saves a table as a file, by the browser's download. Not the function of the earnings pages: a module that these share with the console
 * is a file of its own, whose name the scripts of all visitors have.
 */
export function saveCsv(name: string, csv: string): void {
  const address = URL.createObjectURL(new Blob([csv], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
