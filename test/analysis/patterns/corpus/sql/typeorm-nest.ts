import { Controller, Get, Param, ParseIntPipe, Query } from "@nestjs/common";
import { InjectRepository, InjectDataSource } from "@nestjs/typeorm";
import { DataSource, Like, Repository } from "typeorm";
import { Invoice } from "./invoice.entity";

@Controller("invoices")
export class InvoicesController {
  constructor(
    @InjectRepository(Invoice) private readonly invoices: Repository<Invoice>,
    @InjectDataSource() private readonly source: DataSource,
  ) {}

  @Get()
  list(@Query("customer") customer: string) {
    // wrong: CWE-89 raw query of the data source
    return this.source.query(`SELECT * FROM invoice WHERE customer = '${customer}'`);
  }

  @Get("bound")
  bound(@Query("customer") customer: string) {
    // right: CWE-89 parameter array
    return this.source.query("SELECT * FROM invoice WHERE customer = $1", [customer]);
  }

  @Get("search")
  search(@Query("q") q: string) {
    return this.invoices
      .createQueryBuilder("i")
      // wrong: CWE-89 where text with the search word
      .where("i.note LIKE '%" + q + "%'")
      .getMany();
  }

  @Get("search-safe")
  searchSafe(@Query("q") q: string) {
    return this.invoices
      .createQueryBuilder("i")
      // right: CWE-89 named parameter of the builder
      .where("i.note LIKE :q", { q: `%${q}%` })
      .getMany();
  }

  @Get("year/:year")
  year(@Param("year", ParseIntPipe) year: number) {
    // right: CWE-89 ParseIntPipe makes a number
    return this.source.query(`SELECT * FROM invoice WHERE extract(year from day) = ${year}`);
  }

  @Get("like")
  like(@Query("q") q: string) {
    // right: CWE-89 find operator
    return this.invoices.find({ where: { note: Like(`%${q}%`) } });
  }

  @Get("sorted")
  sorted(@Query("by") by: string, @Query("status") status: string) {
    return this.invoices
      .createQueryBuilder("i")
      .where("i.status = :status", { status })
      // wrong: CWE-89 orderBy does not escape a column
      .orderBy(by, "ASC")
      .getMany();
  }

  @Get("period/:period")
  period(@Param("period") period: string) {
    const manager = this.source.manager;
    // wrong: CWE-89 entity manager query
    return manager.query("SELECT * FROM invoice WHERE period = '" + period + "'");
  }
}
