/** Something that renders the metrics of a process, for `/metrics`. */
export interface MetricsSource {
  render(): Promise<{ contentType: string; body: string }>;
}
