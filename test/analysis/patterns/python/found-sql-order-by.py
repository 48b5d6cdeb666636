from django.db import connection
from django.http import JsonResponse
from django.views import View

class OrderSearch(View):
    def get(self, request):
        order = request.GET.get("order", "created")
        with connection.cursor() as cursor:
            cursor.execute(  # found: python/sql error
                "SELECT id, total FROM shop_order WHERE owner_id = %s ORDER BY " + order,
                [request.user.id],
            )
            rows = cursor.fetchall()
        return JsonResponse({"orders": rows})
